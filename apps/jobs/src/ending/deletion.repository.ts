import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { JobInput } from '@kinora/contracts/jobs/job';
import { JOB_COLUMNS, type JobPlan, type JobRow } from '../job/job.entity';

/** The request deletes the files itself. The sweep of expired outputs deletes what a failed request has left. */
const LEAVE_TO_REQUEST_SECONDS = 30;

/** A job in flight matches no row. A repeat changes nothing but the time of the next try. */
const REQUEST = statement(
  'job_request_deletion',
  `UPDATE job SET deletion_requested_at = coalesce(deletion_requested_at, clock_timestamp()),
                  outputs_retry_at = clock_timestamp() + ${LEAVE_TO_REQUEST_SECONDS} * interval '1 second'
    WHERE id = $1 AND account_id = $2 AND completed_at IS NOT NULL
   RETURNING ${JOB_COLUMNS.sql}`,
);

const DELETE_CONTENT = statement(
  'job_delete_content',
  `UPDATE job SET input = $2, plan = $3, metadata = NULL,
                  content_deleted_at = coalesce(content_deleted_at, clock_timestamp())
    WHERE id = $1 AND completed_at IS NOT NULL
   RETURNING ${JOB_COLUMNS.sql}`,
);

const DELETE_WEBHOOK_URL = statement(
  'job_delete_webhook_url',
  'UPDATE job SET webhook_url = NULL WHERE id = $1 AND content_deleted_at IS NOT NULL',
);

/** Deletions that clients request. They change ended jobs only, so a read before them is not out of date. */
@Injectable()
export class DeletionRepository {
  constructor(private readonly database: Database) {}

  /** From now on no link to the outputs is signed. Null if the account has no such job, or if it is in flight. */
  request(id: string, accountId: string): Promise<JobRow | null> {
    return this.database.findOne<JobRow>(REQUEST, [id, accountId]);
  }

  async deleteContent(id: string, left: { input: JobInput; plan: JobPlan }): Promise<JobRow> {
    const values = [id, JSON.stringify(left.input), JSON.stringify(left.plan)];
    const job = await this.database.findOne<JobRow>(DELETE_CONTENT, values);
    if (!job) throw new Error(`Job ${id} is not an ended job, so its content cannot be deleted.`);
    return job;
  }

  /** Once the dispatcher has the delivery: until then the address is needed to send the webhook at all. */
  async deleteWebhookUrl(id: string): Promise<void> {
    await this.database.execute(DELETE_WEBHOOK_URL, [id]);
  }
}
