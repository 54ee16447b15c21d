import { Injectable } from '@nestjs/common';
import type { JobStatus } from '@kinora/contracts/jobs/job';
import { Database, statement } from '@kinora/database';
import type { JobRow } from './job.entity';

export type JobSummaryRow = Pick<
  JobRow,
  'id' | 'account_id' | 'status' | 'kind' | 'model' | 'error_code' | 'price_micros' | 'created_at' | 'completed_at'
>;

/** Ids grow with time, so the primary key is the order of creation, and no index over all accounts is needed. */
const LIST = statement(
  'job_summary_list',
  `SELECT id, account_id, status, kind, model, error_code, price_micros, created_at, completed_at FROM job
    WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR model = $2)
      AND id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      AND id >= coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY id DESC LIMIT $4`,
);

/** The number of jobs that one page reads at most. With a rare filter a page is short, and the next one continues behind it. */
export const JOBS_READ_A_PAGE = 5_000;

const PAGE_END = statement(
  'job_summary_page_end',
  `SELECT id, created_at FROM job WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY id DESC OFFSET ${JOBS_READ_A_PAGE - 1} LIMIT 1`,
);

export interface JobSummaryFilter {
  status: JobStatus | null;
  model: string | null;
  beforeId: string | null;
}

/** Jobs of all accounts, with the columns of a list. */
@Injectable()
export class JobSummaryRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. @param from the last job to read, as `findPageEnd` finds it. */
  list({ status, model, beforeId }: JobSummaryFilter, limit: number, from: string | null): Promise<JobSummaryRow[]> {
    return this.database.query<JobSummaryRow>(LIST, [status, model, beforeId, limit, from]);
  }

  /** The last job that a page may read; null if fewer are left. */
  findPageEnd(beforeId: string | null): Promise<Pick<JobRow, 'id' | 'created_at'> | null> {
    return this.database.findOne<Pick<JobRow, 'id' | 'created_at'>>(PAGE_END, [beforeId]);
  }
}
