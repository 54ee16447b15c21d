import { Injectable } from '@nestjs/common';
import { Database, type RowOf, columnsOf, statement } from '@kinora/database';
import { JobEntity } from '../job/job.entity';

const STATED = columnsOf(
  JobEntity,
  ...(['id', 'account_id', 'kind', 'model', 'status', 'error_code', 'created_at', 'started_at'] as const),
  ...([
    'completed_at',
    'gpu_ms',
    'price_micros',
    'accepted_facts',
    'output',
    'passed_output_sha256',
    'quote_id',
    'input_decision_id',
    'output_decision_id',
  ] as const),
);

/** The part of a job that its receipt states. */
export type ReceiptRow = RowOf<typeof STATED> & { attempts: number };

const FIND = statement(
  'receipt_row_find',
  `SELECT ${STATED.sql}, (SELECT count(*) FROM attempt WHERE job_id = job.id) AS attempts
     FROM job WHERE id = $1 AND account_id = $2`,
);

@Injectable()
export class ReceiptRowRepository {
  constructor(private readonly database: Database) {}

  /** Null for an unknown job, and for one of another account. */
  find(jobId: string, accountId: string): Promise<ReceiptRow | null> {
    return this.database.findOne<ReceiptRow>(FIND, [jobId, accountId]);
  }
}
