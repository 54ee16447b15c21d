import { Injectable } from '@nestjs/common';
import { JOB_STATUSES } from '@kinora/contracts/jobs/job';
import type { JobSummary, JobSummaryPage, ListAllJobsRequest } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { validate as isUuid } from 'uuid';
import { type Cursor, decodeCursor, encodeCursor } from '../../job/cursor';
import { JobRepository } from '../../job/job.repository';
import { JobSummaryRepository, type JobSummaryRow } from '../../job/job-summary.repository';
import { chargedMicros } from '../../job/job.view';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Lists jobs of all accounts, or of one, for operators: newest first, a page at a time. */
@Injectable()
export class ListAllJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly summaries: JobSummaryRepository,
  ) {}

  async execute(request: ListAllJobsRequest): Promise<JobSummaryPage> {
    assertUsable(request);
    const { limit = DEFAULT_LIMIT, cursor } = request;
    const { rows, end } = await this.list(request, cursor === undefined ? null : decodeCursor(cursor), limit + 1);
    const page = rows.slice(0, limit);
    // A page that is not full has read all rows that it may read, or all that exist.
    const last = (rows.length > limit && page.at(-1)) || end;
    return {
      data: page.map(toSummary),
      has_more: last !== null,
      next_cursor: last ? encodeCursor({ createdAt: last.created_at, id: last.id }) : null,
    };
  }

  private async list(request: ListAllJobsRequest, before: Cursor | null, limit: number): Promise<ReadPage> {
    const { account_id, status = null, model = null } = request;
    if (account_id !== undefined)
      return { rows: await this.jobs.list(account_id, { status, model, limit, before }), end: null };
    const beforeId = before?.id ?? null;
    const end = status === null && model === null ? null : await this.summaries.findPageEnd(beforeId);
    return { rows: await this.summaries.list({ status, model, beforeId }, limit, end?.id ?? null), end };
  }
}

interface ReadPage {
  rows: JobSummaryRow[];
  /** The last job that was read, if there are more. */
  end: Pick<JobSummaryRow, 'id' | 'created_at'> | null;
}

function assertUsable({ account_id, status, limit }: ListAllJobsRequest): void {
  if (account_id !== undefined && !isUuid(account_id)) throw invalid('account_id', 'a UUID');
  if (status !== undefined && !JOB_STATUSES.includes(status)) throw invalid('status', JOB_STATUSES.join(', '));
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
    throw invalid('limit', `a whole number from 1 to ${MAX_LIMIT}`);
}

function invalid(field: string, rule: string): ApiError {
  return new ApiError('invalid_body', `${field} must be ${rule}.`, { param: field });
}

function toSummary(row: JobSummaryRow): JobSummary {
  const { id: job_id, account_id, status, kind, model, error_code, created_at, completed_at } = row;
  return {
    ...{ job_id, account_id, status, kind, model, error_code, charged_micros: chargedMicros(row) },
    created_at: created_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  };
}
