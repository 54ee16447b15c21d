import { Injectable } from '@nestjs/common';
import type { JobStatus } from '@kinora/contracts/jobs/job';
import type { FinishedCursor } from '@kinora/contracts/jobs/jobs.rpc';
import {
  ALL_MONTHS,
  BatchedStatement,
  Database,
  OPEN_DAYS,
  type Queryable,
  daysAfter,
  inGivenMonths,
  inMonthsOfIds,
  inOpenMonths,
  statement,
} from '@kinora/database';
import type { Cursor } from './cursor';
import { readByMonth } from './read-by-month';
import { type JobEnd, MESSAGE_BY_ERROR_CODE, moderationStatusAt } from './job-status';
import { JOB_COLUMNS, type JobRow, SHOWN_JOB_COLUMNS, type ShownJobRow } from './job.entity';

/** The number of rows that one sweep claims; after a full page there may be more. */
export const PAGE = 50;
export const TOMBSTONE_PAGE = 1_000;

/** A job has at most one open attempt. A join and not EXISTS, for which PostgreSQL reads all open attempts first. */
const READ = statement(
  'job_read',
  `SELECT ${SHOWN_JOB_COLUMNS.sql}, unchecked.job_id IS NOT NULL AND status IN ('queued', 'processing') AS is_unchecked
     FROM job LEFT JOIN LATERAL (
       SELECT job_id FROM attempt
        WHERE attempt.job_id = job.id AND state IN ('unknown', 'accepted', 'running') AND ${inMonthsOfIds('attempt.job_id')}
          AND checked_at < clock_timestamp() - $2 * interval '1 millisecond') AS unchecked ON true
    WHERE id = ANY($1::uuid[]) AND ${inMonthsOfIds('id')}`,
  { idsAt: 0 },
);

const FIND_MANY = statement(
  'job_find_many',
  `SELECT ${JOB_COLUMNS.sql} FROM job WHERE id = ANY($1::uuid[]) AND ${inMonthsOfIds('id')}`,
  { idsAt: 0 },
);

/**
 * A page is merged from one short index range for each status. Its cost does not grow with the number of jobs, even if hardly
 * any of them has the requested status or model.
 */
const listOf = (from: string, filter: string): string =>
  `SELECT ${SHOWN_JOB_COLUMNS.sql} FROM unnest($2::text[]) AS wanted(wanted_status) ${from} CROSS JOIN LATERAL (
     SELECT * FROM job
      WHERE account_id = $1 AND status = wanted_status AND ${inGivenMonths('id')} ${filter}
        AND (created_at, id) < (coalesce($3::timestamptz, 'infinity'), coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
      ORDER BY created_at DESC, id DESC LIMIT $5) AS job
    ORDER BY created_at DESC, id DESC LIMIT $5`;

const LIST = statement('job_list', listOf('', ''), { mayBeStale: true });
/**
 * `OFFSET 0` hides the model from the planner. For a common model the planner would assume that nearly every job has it, and
 * would read all of the account's jobs of other models.
 */
const LIST_OF_MODEL = statement(
  'job_list_of_model',
  listOf('CROSS JOIN (SELECT $6::text OFFSET 0) AS of_model(wanted_model)', 'AND model = wanted_model'),
  { mayBeStale: true },
);

/** Only jobs with a webhook, because the sweep that requests them reads the last minute repeatedly. */
const LIST_FINISHED = statement(
  'job_list_finished',
  `SELECT ${JOB_COLUMNS.sql} FROM job
    WHERE completed_at IS NOT NULL AND webhook_url IS NOT NULL AND ${inGivenMonths('id')}
      AND (completed_at, id) > (coalesce($1::timestamptz, '-infinity'), coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'))
    ORDER BY completed_at, id LIMIT $3`,
);

const LIST_ENDED = statement(
  'job_list_ended',
  `SELECT id FROM job WHERE id = ANY($1::uuid[]) AND completed_at IS NOT NULL AND ${inMonthsOfIds('id')}`,
  { idsAt: 0 },
);

const READ_CLOCK = statement('job_read_clock', 'SELECT clock_timestamp() AS at');

/** The one statement that ends a job. It decides every race between success, failure, timeout and cancel. */
const END = statement(
  'job_end',
  `UPDATE job SET status = $2, output = $3, output_decision_id = $4, error_code = $5, error_message = $6, gpu_ms = $7,
                  moderation_status = $8, passed_output_sha256 = $9,
                  completed_at = now.at,
                  started_at = CASE WHEN $2 = 'succeeded' THEN coalesce(started_at, now.at) ELSE started_at END,
                  expires_at = CASE WHEN $3::json IS NULL THEN NULL ELSE now.at + retention_days * interval '24 hours' END,
                  claimable_at = NULL, deadline_at = NULL
     FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS at) AS now
    WHERE id = $1 AND status IN ('queued', 'processing') AND ${inOpenMonths('id')}
   RETURNING ${JOB_COLUMNS.sql}`,
);

/**
 * A job whose outputs wait for their collection is overdue only ten minutes after its deadline. The last attempt may have ended
 * already; the job then fails with the problem of that attempt.
 */
const LIST_OVERDUE = statement(
  'job_list_overdue',
  `SELECT job.id, job.status, attempt.state, attempt.problem
     FROM job LEFT JOIN LATERAL (
       SELECT state, problem FROM attempt WHERE attempt.job_id = job.id AND ${inOpenMonths('attempt.job_id')} ORDER BY number DESC LIMIT 1) AS attempt ON true
    WHERE job.deadline_at < statement_timestamp() AND ${inOpenMonths('job.id')}
      AND NOT coalesce(attempt.state = 'collecting' AND attempt.problem IS NULL
                       AND job.deadline_at > clock_timestamp() - interval '10 minutes', false)
    ORDER BY job.deadline_at LIMIT ${PAGE}`,
);

const GIVE_UP_UNKNOWN = statement(
  'job_give_up_unknown',
  `WITH given_up AS (
     INSERT INTO job_tombstone (job_id)
     SELECT given_id FROM unnest($1::uuid[]) AS given_id
      WHERE NOT EXISTS (SELECT FROM job WHERE id = given_id AND id = ANY($1::uuid[]) AND ${inMonthsOfIds('id')})
     ON CONFLICT (job_id) DO UPDATE SET created_at = job_tombstone.created_at
     RETURNING job_id)
   SELECT job_id FROM given_up`,
  { idsAt: 0 },
);

/**
 * A tombstone prevents that a job is stored after its hold was refunded, or its creation was given up. A create takes less than a
 * minute. A dead create can be resumed under its job id while its idempotency key is kept, 48 hours.
 */
const PRUNE_TOMBSTONES = statement(
  'job_tombstone_prune',
  `DELETE FROM job_tombstone WHERE job_id IN (
     SELECT job_id FROM job_tombstone WHERE created_at < statement_timestamp() - interval '7 days'
     ORDER BY created_at LIMIT ${TOMBSTONE_PAGE})`,
);

/** A job past its deadline, with the problem of its last attempt. */
export interface OverdueJob {
  id: string;
  status: JobStatus;
  state: string | null;
  problem: string | null;
}

/** A read polls the provider inline if the job was not polled for this long (decisions: Reading and listing jobs). */
export const UNPOLLED_AFTER_MS = 5_000;

export interface ReadJob {
  job: ShownJobRow;
  /** Whether it is in flight, and was not polled for `UNPOLLED_AFTER_MS`. */
  isPollDue: boolean;
}

interface AccountJob {
  id: string;
  accountId: string;
}

@Injectable()
export class JobRepository {
  private readonly finds: BatchedStatement<string, JobRow | null>;
  private readonly reads: BatchedStatement<AccountJob, ReadJob | null>;

  constructor(private readonly database: Database) {
    this.finds = new BatchedStatement({ run: (ids) => this.findBatch(ids) });
    this.reads = new BatchedStatement({ run: (refs) => this.readBatch(refs), fairBy: ({ accountId }) => accountId });
  }

  find(id: string): Promise<JobRow | null> {
    return this.finds.run(id);
  }

  /** The account's job, and whether a poll is due. */
  findOfAccount(id: string, accountId: string): Promise<ReadJob | null> {
    return this.reads.run({ id, accountId });
  }

  findMany(ids: string[]): Promise<JobRow[]> {
    return this.database.queryIds<JobRow>(FIND_MANY, ids);
  }

  list(
    accountId: string,
    filter: { status: JobStatus | null; model: string | null; before: Cursor | null; limit: number },
  ): Promise<ShownJobRow[]> {
    const { status, model, before, limit } = filter;
    return readByMonth(
      this.database,
      { accountId, status, model, order: 'desc', after: before, limit },
      (months, statuses) => {
        const values = [accountId, statuses, before?.createdAt ?? null, before?.id ?? null, limit];
        return model === null
          ? this.database.query<ShownJobRow>(LIST, values, months)
          : this.database.query<ShownJobRow>(LIST_OF_MODEL, [...values, model], months);
      },
    );
  }

  listFinished(after: FinishedCursor | null, limit: number): Promise<JobRow[]> {
    const values = [after?.completed_at ?? null, after?.job_id ?? null, limit];
    const isRecent = after !== null && new Date(after.completed_at) > daysAfter(new Date(), 1 - OPEN_DAYS);
    return this.database.query<JobRow>(LIST_FINISHED, values, isRecent ? this.database.openMonths : ALL_MONTHS);
  }

  async listEnded(ids: string[]): Promise<string[]> {
    return (await this.database.query<{ id: string }>(LIST_ENDED, [ids])).map(({ id }) => id);
  }

  /** The clock that dates the ends of jobs. */
  async readClock(): Promise<Date> {
    const row = await this.database.findOne<{ at: Date }>(READ_CLOCK);
    if (!row) throw new Error('The statement that reads the clock returned no row.');
    return row.at;
  }

  /** Null if the job has already ended: the caller has lost the race, and deletes the files that it stored. */
  end(transaction: Queryable, id: string, end: JobEnd): Promise<JobRow | null> {
    const succeeded = end.status === 'succeeded' ? end : null;
    const failed = end.status === 'failed' ? end : null;
    return transaction.findOne<JobRow>(END, [
      id,
      end.status,
      succeeded && JSON.stringify(succeeded.output),
      succeeded?.output_decision_id ?? null,
      failed?.error_code ?? null,
      failed && (failed.error_message ?? MESSAGE_BY_ERROR_CODE[failed.error_code]),
      end.status === 'canceled' ? null : end.gpu_ms,
      moderationStatusAt(end),
      succeeded?.passed_output_sha256 ?? null,
    ]);
  }

  listOverdue(): Promise<OverdueJob[]> {
    return this.database.query<OverdueJob>(LIST_OVERDUE);
  }

  /** Writes tombstones for the given ids that belong to no job, and returns these ids. They can never become jobs. */
  async giveUpUnknown(ids: string[]): Promise<string[]> {
    return (await this.database.query<{ job_id: string }>(GIVE_UP_UNKNOWN, [ids])).map(({ job_id }) => job_id);
  }

  /** Deletes a page of tombstones that are too old for any create to meet them. @returns how many */
  pruneTombstones(): Promise<number> {
    return this.database.execute(PRUNE_TOMBSTONES);
  }

  private async findBatch(ids: string[]): Promise<(JobRow | null)[]> {
    const found = new Map((await this.findMany(ids)).map((job) => [job.id, job]));
    return ids.map((id) => found.get(id) ?? null);
  }

  private async readBatch(refs: AccountJob[]): Promise<(ReadJob | null)[]> {
    const ids = refs.map(({ id }) => id);
    const rows = await this.database.queryIds<ShownJobRow & { is_unchecked: boolean }>(READ, ids, UNPOLLED_AFTER_MS);
    const found = new Map(rows.map((row) => [row.id, row]));
    return refs.map(({ id, accountId }) => {
      const job = found.get(id);
      return job?.account_id === accountId ? { job, isPollDue: job.is_unchecked } : null;
    });
  }
}
