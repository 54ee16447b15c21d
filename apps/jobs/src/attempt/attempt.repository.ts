import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@kinora/compute';
import { Database, type Queryable, type Statement, statement, inMonthsOfIds, inOpenMonths } from '@kinora/database';
import type { JobAttempt } from '@kinora/contracts/jobs/job-history';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import type { AttemptPast } from './decide-after-failure';
import {
  ATTEMPT_COLUMNS,
  type AttemptClaim,
  type AttemptEnd,
  type AttemptOutcome,
  type AttemptRow,
} from './attempt.row';

/** The length of a lease: longer than any single step. A holder that has not renewed it by then counts as dead. */
export const LEASE_MS = 30_000;

/**
 * The provider at which an attempt takes a place; null if the attempt has ended, is parked, or its outputs are being collected.
 * Only the index `attempt_with_a_place` holds this expression, because the planner prefers larger indexes to one with a
 * provider.
 */
export const TAKES_PLACE_AT = `CASE WHEN state <> 'ended' AND state <> 'collecting' AND NOT parked THEN attempt.provider END`;

/**
 * A subquery for each attempt: the planner cannot estimate how few take a place, and would join them with an index over all
 * jobs.
 */
export const ACCOUNT_OF_ATTEMPT = `(SELECT account_id FROM job WHERE job.id = attempt.job_id AND ${inOpenMonths('job.id')}) AS account_id`;

const COUNT_OPEN = statement(
  'attempt_count_open',
  `SELECT count(*) AS count FROM attempt WHERE ${TAKES_PLACE_AT} = $1 AND ${inOpenMonths('job_id')}`,
);

const COUNT_OPEN_BY_ACCOUNT = statement(
  'attempt_count_open_by_account',
  `SELECT ${ACCOUNT_OF_ATTEMPT}, count(*) AS count FROM attempt WHERE ${TAKES_PLACE_AT} = $1 AND ${inOpenMonths('job_id')} GROUP BY 1`,
);

/**
 * Claims an attempt for the whole collection, because outputs are large and the output gate takes long. The holder renews the
 * lease.
 */
const CLAIM_READY = statement(
  'attempt_claim_ready',
  `WITH due AS (
     SELECT job_id, number FROM attempt
      WHERE provider = $1 AND state = 'collecting' AND next_check_at <= statement_timestamp() AND state <> 'ended'
        AND ${inOpenMonths('job_id')}
      ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED
   )
   UPDATE attempt SET fence = fence + 1, checked_at = clock_timestamp(),
                      next_check_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     FROM due WHERE attempt.job_id = due.job_id AND attempt.number = due.number
      AND attempt.job_id = ANY(ARRAY(SELECT job_id FROM due)) AND ${inOpenMonths('attempt.job_id')}
   RETURNING ${ATTEMPT_COLUMNS}`,
);

const HELD = `unnest($1::uuid[], $2::integer[], $3::integer[]) AS held (job_id, number, fence)`;
/** The ids are also an array, here and in others: before the first statistics of a month, a join by them would read the whole month. */
const IS_HELD = `attempt.job_id = held.job_id AND attempt.number = held.number AND attempt.fence = held.fence AND attempt.state <> 'ended'
  AND attempt.job_id = ANY($1::uuid[]) AND ${inOpenMonths('attempt.job_id')}`;

const RENEW = statement(
  'attempt_renew',
  `UPDATE attempt SET next_check_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     FROM ${HELD} WHERE ${IS_HELD} RETURNING attempt.job_id`,
);

const FIND_HELD = statement('attempt_find_held', `SELECT attempt.job_id FROM ${HELD} JOIN attempt ON ${IS_HELD}`);

/**
 * When an ended attempt is canceled at its backend, which may still hold its task or its result. Only the process that sends a
 * submission can know whether it has arrived. If that process is dead, or has given up before the attempt ended, a cancel under the id
 * that jobs chose stops a task that arrives late.
 */
const CANCEL_AT = (outcome: string): string => `CASE
  WHEN ${outcome} IN ('canceled', 'timed_out', 'interrupted') OR (${outcome} IN ('succeeded', 'failed') AND state <> 'submitting')
  THEN clock_timestamp() END`;

const CLOSE = statement(
  'attempt_close',
  `UPDATE attempt SET state = 'ended', outcome = $4, ended_at = clock_timestamp(), problem = coalesce($5, problem),
                      gpu_ms = $6::bigint, reason = $7, cancel_at = CASE WHEN $4 = 'failed' AND $6::bigint IS NOT NULL THEN clock_timestamp() ELSE ${CANCEL_AT('$4')} END
    WHERE job_id = $1 AND number = $2 AND fence = $3 AND state <> 'ended' AND ${inOpenMonths('job_id')}`,
);

const CLOSE_OF_JOB = statement(
  'attempt_close_of_job',
  `UPDATE attempt SET state = 'ended', outcome = $2, ended_at = clock_timestamp(), fence = fence + 1, reason = coalesce(reason, $3),
                      cancel_at = ${CANCEL_AT('$2')}
    WHERE job_id = $1 AND state <> 'ended' AND ${inOpenMonths('job_id')}`,
);

/**
 * The job keeps its place at the front, but its rank moves to the current head of the queue. New jobs take their rank from the
 * head and must not start far behind it. A job that had begun goes before all that have not.
 */
const REQUEUE_JOB = statement(
  'attempt_requeue_job',
  `UPDATE job SET claimable_at = clock_timestamp() + $2 * interval '1 millisecond',
                  turn = CASE WHEN started_at IS NULL THEN greatest(turn, (SELECT waiting.turn FROM job AS waiting
                    WHERE waiting.model = job.model AND waiting.claimable_at IS NOT NULL AND waiting.claimable_at <= statement_timestamp()
                      AND ${inOpenMonths('waiting.id')}
                    ORDER BY waiting.turn LIMIT 1))
                  ELSE coalesce((SELECT waiting.turn - 1 FROM job AS waiting
                    WHERE waiting.model = job.model AND waiting.claimable_at IS NOT NULL AND waiting.started_at IS NULL
                      AND ${inOpenMonths('waiting.id')}
                    ORDER BY waiting.turn LIMIT 1), turn) END
    WHERE id = $1 AND completed_at IS NULL AND claimable_at IS NULL AND ${inOpenMonths('id')}`,
);

/** Fills an unknown reference only: a reference from the backend's own answer stays. */
const ADOPT_REF = statement(
  'attempt_adopt_ref',
  `UPDATE attempt SET upstream_ref = $3::json
    WHERE job_id = $1 AND number = $2 AND upstream_ref IS NULL AND state IN ('submitting', 'unknown')
      AND ${inOpenMonths('job_id')}`,
);

const FIND_PAST = statement(
  'attempt_find_past',
  `SELECT count(*) FILTER (WHERE outcome = 'lost') AS lost,
          count(*) FILTER (WHERE outcome = 'interrupted') AS interrupted,
          coalesce(array_agg(provider) FILTER (WHERE outcome = 'failed'), '{}') AS failed_at
     FROM attempt WHERE job_id = $1 AND ${inMonthsOfIds('job_id')}`,
  { idsAt: 0 },
);

/** Each attempt that may have left a task at its backend is canceled there; only after a job's own end it is a result. */
const LIST = statement(
  'attempt_list',
  `SELECT number, provider, state, outcome, problem, reason, gpu_ms,
          CASE WHEN outcome IN ('canceled', 'timed_out') THEN cancel_outcome END AS cancel_outcome,
          cancel_tries, created_at, ended_at
     FROM attempt WHERE job_id = $1 AND ${inMonthsOfIds('job_id')} ORDER BY number`,
  { idsAt: 0 },
);

/** The reason of an attempt whose job was ended from outside, if no other reason is known. */
const REASONS: Partial<Record<AttemptOutcome, string>> = {
  canceled: 'its job was canceled',
  timed_out: 'its job ran out of time',
};

@Injectable()
export class AttemptRepository {
  constructor(private readonly database: Database) {}

  async countOpen(provider: string): Promise<number> {
    return (await this.database.findOne<{ count: number }>(COUNT_OPEN, [provider]))?.count ?? 0;
  }

  /** For instances with few places: reads a row for each attempt that is open there. */
  countOpenByAccount(provider: string): Promise<{ account_id: string; count: number }[]> {
    return this.database.query(COUNT_OPEN_BY_ACCOUNT, [provider]);
  }

  /** An attempt whose outputs can be collected, or null. */
  claimReady(provider: string): Promise<AttemptRow | null> {
    return this.database.findOne<AttemptRow>(CLAIM_READY, [provider]);
  }

  /** Renews the leases that are still valid, and returns their jobs. */
  renew(claims: AttemptClaim[]): Promise<Set<string>> {
    return this.listHeld(RENEW, claims);
  }

  /** Returns the jobs of the leases that are still valid. */
  findHeld(claims: AttemptClaim[]): Promise<Set<string>> {
    return this.listHeld(FIND_HELD, claims);
  }

  /** Ends an attempt and returns its job to the queue. False if either has ended, or another process has claimed the attempt. */
  async requeue(
    { job_id, number, fence }: AttemptClaim,
    end: AttemptEnd & { problem: JobErrorCode | null; delayMs: number },
  ): Promise<boolean> {
    try {
      return await this.database.transaction(async (transaction) => {
        // The job is locked before its attempt, as in every transaction, which prevents deadlocks.
        const open = await transaction.execute(REQUEUE_JOB, [job_id, Math.round(end.delayMs)]);
        const { outcome, problem, gpuMs, reason } = end;
        const closed = await transaction.execute(CLOSE, [job_id, number, fence, outcome, problem, gpuMs, reason]);
        if (open === 1 && closed === 0) throw new AttemptLeaseLost();
        return open === 1;
      });
    } catch (error) {
      if (error instanceof AttemptLeaseLost) return false;
      throw error;
    }
  }

  /** Ends an attempt in the transaction that ends its job. False if another process has claimed the attempt. */
  async close(
    transaction: Queryable,
    { job_id, number, fence }: AttemptClaim,
    { outcome, gpuMs, reason }: AttemptEnd,
  ): Promise<boolean> {
    return (await transaction.execute(CLOSE, [job_id, number, fence, outcome, null, gpuMs, reason])) === 1;
  }

  /** Ends the open attempt of the job, whichever process holds it: the holder's next write then changes no row. */
  async closeOfJob(transaction: Queryable, jobId: string, outcome: AttemptOutcome): Promise<void> {
    await transaction.execute(CLOSE_OF_JOB, [jobId, outcome, REASONS[outcome] ?? null]);
  }

  /** Stores the backend's name for a task whose answer to the submission was lost or is late. */
  async adoptRef(attempt: { job_id: string; attempt_number: number }, ref: JsonObject): Promise<void> {
    await this.database.execute(ADOPT_REF, [attempt.job_id, attempt.attempt_number, JSON.stringify(ref)]);
  }

  /** The results of the job's ended attempts. */
  async findPast(jobId: string): Promise<AttemptPast> {
    const past = await this.database.findOne<AttemptPast>(FIND_PAST, [jobId]);
    return past ?? { lost: 0, interrupted: 0, failed_at: [] };
  }

  async list(jobId: string): Promise<JobAttempt[]> {
    const rows = await this.database.query<ListedAttempt>(LIST, [jobId]);
    return rows.map(({ created_at, ended_at, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
    }));
  }

  private async listHeld(which: Statement, claims: AttemptClaim[]): Promise<Set<string>> {
    if (claims.length === 0) return new Set();
    const rows = await this.database.query<{ job_id: string }>(which, [
      claims.map(({ job_id }) => job_id),
      claims.map(({ number }) => number),
      claims.map(({ fence }) => fence),
    ]);
    return new Set(rows.map(({ job_id }) => job_id));
  }
}

type ListedAttempt = Omit<JobAttempt, 'created_at' | 'ended_at'> & { created_at: Date; ended_at: Date | null };

/** Rolls back a write about an attempt that another process has claimed. */
export class AttemptLeaseLost extends Error {}
