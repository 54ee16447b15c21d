import { Injectable } from '@nestjs/common';
import { Database, statement, inOpenMonths } from '@kinora/database';
import type { JobRow } from '../job/job.entity';

/** The head of a model's queue, with the fields that determine whether there is room for it. */
export type QueueHead = Pick<JobRow, 'account_id' | 'model' | 'plan' | 'provider'>;

/**
 * Two index steps for each queue, for any number of waiting jobs. statement_timestamp(), because clock_timestamp() is volatile
 * and prevents the use of an index.
 */
const LIST_QUEUE_HEADS = statement(
  'job_list_queue_heads',
  `WITH RECURSIVE model_queue AS (
     (SELECT model FROM job WHERE claimable_at IS NOT NULL AND ${inOpenMonths('id')} ORDER BY model LIMIT 1)
     UNION ALL
     SELECT (SELECT job.model FROM job
              WHERE claimable_at IS NOT NULL AND job.model > model_queue.model AND ${inOpenMonths('id')}
              ORDER BY job.model LIMIT 1)
       FROM model_queue WHERE model_queue.model IS NOT NULL
   )
   SELECT head.account_id, head.model, head.plan, head.provider FROM model_queue CROSS JOIN LATERAL (
     SELECT account_id, model, plan, provider FROM job
      WHERE job.model = model_queue.model AND claimable_at IS NOT NULL AND claimable_at <= statement_timestamp()
        AND ${inOpenMonths('id')}
      ORDER BY turn LIMIT 1) AS head`,
);

@Injectable()
export class QueueHeadsRepository {
  constructor(private readonly database: Database) {}

  list(): Promise<QueueHead[]> {
    return this.database.query<QueueHead>(LIST_QUEUE_HEADS);
  }
}
