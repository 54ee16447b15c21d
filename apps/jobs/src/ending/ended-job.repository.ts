import { Injectable } from '@nestjs/common';
import type { JobInput } from '@kinora/contracts/jobs/job';
import {
  BatchedStatement,
  Database,
  type GivenMonths,
  inGivenMonths,
  inMonthsOfIds,
  inOpenMonths,
  statement,
} from '@kinora/database';
import { JOB_COLUMNS, type JobPlan, type JobRow } from '../job/job.entity';
import { PAGE } from '../job/job.repository';

/** The request of the client deletes files and content itself. The sweeps delete what a failed request has left. */
const LEAVE_TO_REQUEST_SECONDS = 30;

/** A repeat changes nothing but the time of the next try. */
const REQUESTED = `deletion_requested_at = coalesce(deletion_requested_at, clock_timestamp()),
                  outputs_retry_at = clock_timestamp() + ${LEAVE_TO_REQUEST_SECONDS} * interval '1 second'`;

const REQUEST = statement(
  'job_request_deletion',
  `UPDATE job SET ${REQUESTED} WHERE id = $1 AND completed_at IS NOT NULL AND ${inMonthsOfIds('id')}
   RETURNING ${JOB_COLUMNS.sql}`,
  { idsAt: 0 },
);

const DELETE_CONTENT = statement(
  'job_delete_content',
  `UPDATE job SET ${REQUESTED},
                  input = $2, plan = $3, metadata = NULL,
                  content_deleted_at = coalesce(content_deleted_at, clock_timestamp())
    WHERE id = $1 AND completed_at IS NOT NULL AND ${inMonthsOfIds('id')}
   RETURNING ${JOB_COLUMNS.sql}`,
  { idsAt: 0 },
);

const DELETE_WEBHOOK_URL = statement(
  'job_delete_webhook_url',
  `UPDATE job SET webhook_url = NULL WHERE id = $1 AND content_deleted_at IS NOT NULL AND ${inMonthsOfIds('id')}`,
  { idsAt: 0 },
);

/**
 * Claims the jobs whose retry has been due for longest, and sets the time of their next retry before this one begins. A job
 * that fails again, even one that crashes the process, therefore moves behind the waiting ones, and two replicas claim
 * different jobs. The pause is a quarter of the elapsed time, so it grows with every try.
 */
const claimDue = (
  retryAt: string,
  since: string,
  condition: string,
  longest: string,
  { due = since, months }: { due?: string; months: (id: string) => string },
): string => `
  WITH due AS (
    SELECT id FROM job
     WHERE ${condition} AND coalesce(${retryAt}, ${since}) < statement_timestamp() - $1 * interval '1 second' AND ${months('id')}
     ORDER BY coalesce(${retryAt}, ${since}) LIMIT ${PAGE} FOR UPDATE SKIP LOCKED
  )
  UPDATE job
     SET ${retryAt} = clock_timestamp()
           + least(greatest((clock_timestamp() - ${due}) / 4, interval '1 second'), interval '${longest}')
    FROM due WHERE job.id = due.id AND job.id = ANY(ARRAY(SELECT id FROM due)) AND ${months('job.id')}
  RETURNING ${JOB_COLUMNS.of('job')}`;

const claimUnsettled = (retryAt: string, condition: string, longest: string): string =>
  claimDue(retryAt, 'completed_at', `completed_at IS NOT NULL AND settled_at IS NULL AND ${condition}`, longest, {
    months: inOpenMonths,
  });

/** The money of an account is held until then, so the longest pause is a minute. */
const CLAIM_UNENDED_HOLDS = statement(
  'job_claim_unended_holds',
  claimUnsettled('hold_retry_at', 'hold_ended_at IS NULL', '1 minute'),
);

const CLAIM_UNCLEARED_FILES = statement(
  'job_claim_uncleared_files',
  claimUnsettled('files_retry_at', 'files_cleared_at IS NULL', '15 minutes'),
);

const CLAIM_EXPIRED_OUTPUTS = statement(
  'job_claim_expired_outputs',
  claimDue(
    'outputs_retry_at',
    'expires_at',
    'expires_at IS NOT NULL AND outputs_deleted_at IS NULL',
    '15 minutes',
    // A client may have requested the deletion before the outputs expire.
    { due: 'least(expires_at, deletion_requested_at)', months: inGivenMonths },
  ),
);

/** The row has lost its texts already; the dispatcher still has them. */
const CLAIM_UNDELETED_CONTENTS = statement(
  'job_claim_undeleted_contents',
  claimDue(
    'content_retry_at',
    'content_deleted_at',
    'content_deleted_at IS NOT NULL AND webhook_url IS NOT NULL',
    '15 minutes',
    { months: inGivenMonths },
  ),
);

const MARK_SETTLED = statement(
  'job_mark_settled',
  `UPDATE job SET settled_at = clock_timestamp() WHERE id = ANY($1::uuid[]) AND settled_at IS NULL AND ${inOpenMonths('id')}`,
);

/** The second of the two settles the job. Both write the same row, so the second one sees what the first has written. */
const markHalf = (mine: string, other: string): string => `
  UPDATE job SET ${mine} = clock_timestamp(),
                 settled_at = CASE WHEN ${other} IS NOT NULL THEN clock_timestamp() END
   WHERE id = $1 AND settled_at IS NULL AND ${mine} IS NULL AND ${inOpenMonths('id')}`;

const MARK_HOLD_ENDED = statement('job_mark_hold_ended', markHalf('hold_ended_at', 'files_cleared_at'));
const MARK_FILES_CLEARED = statement('job_mark_files_cleared', markHalf('files_cleared_at', 'hold_ended_at'));

const MARK_OUTPUTS_DELETED = statement(
  'job_mark_outputs_deleted',
  `UPDATE job SET outputs_deleted_at = clock_timestamp() WHERE id = $1 AND ${inMonthsOfIds('id')}`,
  { idsAt: 0 },
);

/** The process that ended a job settles it at once, so the sweep skips jobs that have just ended. */
const LEAVE_TO_ENDER_SECONDS = 1;

/**
 * Ended jobs with work left: a hold to end, files or content to delete, or expired outputs. The first statement of a deletion that
 * a client requests makes it durable: sweeps complete what a dead process, the store or the dispatcher leaves undone.
 */
@Injectable()
export class EndedJobRepository {
  private readonly settlements: BatchedStatement<string, void>;

  constructor(private readonly database: Database) {
    this.settlements = new BatchedStatement({ run: (ids) => this.markBatchSettled(ids) });
  }

  claimUnendedHolds(): Promise<JobRow[]> {
    return this.database.query<JobRow>(CLAIM_UNENDED_HOLDS, [LEAVE_TO_ENDER_SECONDS]);
  }

  claimUnclearedFiles(): Promise<JobRow[]> {
    return this.database.query<JobRow>(CLAIM_UNCLEARED_FILES, [LEAVE_TO_ENDER_SECONDS]);
  }

  claimExpiredOutputs(months: GivenMonths): Promise<JobRow[]> {
    return this.database.query<JobRow>(CLAIM_EXPIRED_OUTPUTS, [0], months);
  }

  claimUndeletedContents(months: GivenMonths): Promise<JobRow[]> {
    return this.database.query<JobRow>(CLAIM_UNDELETED_CONTENTS, [LEAVE_TO_REQUEST_SECONDS], months);
  }

  /** The hold has ended and the files are deleted. */
  markSettled(id: string): Promise<void> {
    return this.settlements.run(id);
  }

  async markHoldEnded(id: string): Promise<void> {
    await this.database.execute(MARK_HOLD_ENDED, [id]);
  }

  async markFilesCleared(id: string): Promise<void> {
    await this.database.execute(MARK_FILES_CLEARED, [id]);
  }

  async markOutputsDeleted(id: string): Promise<void> {
    await this.database.execute(MARK_OUTPUTS_DELETED, [id]);
  }

  /** From now on no link to the outputs is signed. */
  requestDeletion(id: string): Promise<JobRow> {
    return this.change(REQUEST, [id]);
  }

  /** Requests the deletion of the outputs too. */
  deleteContent(id: string, left: { input: JobInput; plan: JobPlan }): Promise<JobRow> {
    return this.change(DELETE_CONTENT, [id, JSON.stringify(left.input), JSON.stringify(left.plan)]);
  }

  /** Once the dispatcher has the delivery: until then the address is needed to send the webhook at all. */
  async deleteWebhookUrl(id: string): Promise<void> {
    await this.database.execute(DELETE_WEBHOOK_URL, [id]);
  }

  private async markBatchSettled(ids: string[]): Promise<void[]> {
    await this.database.execute(MARK_SETTLED, [ids]);
    return ids.map(() => undefined);
  }

  private async change(change: typeof REQUEST, values: [id: string, ...unknown[]]): Promise<JobRow> {
    const job = await this.database.findOne<JobRow>(change, values);
    if (!job) throw new Error(`Job ${values[0]} is not an ended job, so nothing of it can be deleted.`);
    return job;
  }
}
