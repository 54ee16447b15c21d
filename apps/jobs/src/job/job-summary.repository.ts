import { Injectable } from '@nestjs/common';
import type { JobStatus } from '@kinora/contracts/jobs/job';
import { Database, statement } from '@kinora/database';
import type { JobRow } from './job.row';

export type JobSummaryRow = Pick<
  JobRow,
  'id' | 'account_id' | 'status' | 'kind' | 'model' | 'error_code' | 'price_micros' | 'created_at' | 'completed_at'
>;

/** Ids grow with time, so the primary key is the order of creation: no index over all accounts is needed. */
const LIST = statement(
  'job_summary_list',
  `SELECT id, account_id, status, kind, model, error_code, price_micros, created_at, completed_at FROM job
    WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR model = $2)
      AND id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY id DESC LIMIT $4`,
);

/** Jobs of all accounts, as far as a line of a list shows them. */
@Injectable()
export class JobSummaryRepository {
  constructor(private readonly database: Database) {}

  list(filter: {
    status: JobStatus | null;
    model: string | null;
    beforeId: string | null;
    limit: number;
  }): Promise<JobSummaryRow[]> {
    return this.database.query<JobSummaryRow>(LIST, [filter.status, filter.model, filter.beforeId, filter.limit]);
  }
}
