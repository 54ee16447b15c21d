import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { JobInput } from '@kinora/contracts/jobs/job';
import { JOB_COLUMNS, type JobPlan, type JobRow } from '../job/job.entity';

/** The request of the client deletes files and content itself. The sweeps delete what a failed request has left. */
export const LEAVE_TO_REQUEST_SECONDS = 30;

/** A repeat changes nothing but the time of the next try. */
const REQUESTED = `deletion_requested_at = coalesce(deletion_requested_at, clock_timestamp()),
                  outputs_retry_at = clock_timestamp() + ${LEAVE_TO_REQUEST_SECONDS} * interval '1 second'`;

const REQUEST = statement(
  'job_request_deletion',
  `UPDATE job SET ${REQUESTED} WHERE id = $1 AND completed_at IS NOT NULL RETURNING ${JOB_COLUMNS.sql}`,
);

const DELETE_CONTENT = statement(
  'job_delete_content',
  `UPDATE job SET ${REQUESTED},
                  input = $2, plan = $3, metadata = NULL,
                  content_deleted_at = coalesce(content_deleted_at, clock_timestamp())
    WHERE id = $1 AND completed_at IS NOT NULL
   RETURNING ${JOB_COLUMNS.sql}`,
);

const DELETE_WEBHOOK_URL = statement(
  'job_delete_webhook_url',
  'UPDATE job SET webhook_url = NULL WHERE id = $1 AND content_deleted_at IS NOT NULL',
);

/**
 * Deletions that clients request. They change ended jobs only, so a read before them is not out of date. The first statement of each
 * makes it durable: sweeps complete what a dead process, the store or the dispatcher leaves undone.
 */
@Injectable()
export class DeletionRepository {
  constructor(private readonly database: Database) {}

  /** From now on no link to the outputs is signed. */
  request(id: string): Promise<JobRow> {
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

  private async change(change: typeof REQUEST, values: [id: string, ...unknown[]]): Promise<JobRow> {
    const job = await this.database.findOne<JobRow>(change, values);
    if (!job) throw new Error(`Job ${values[0]} is not an ended job, so nothing of it can be deleted.`);
    return job;
  }
}
