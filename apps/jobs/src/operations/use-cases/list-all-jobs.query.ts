import { Injectable } from '@nestjs/common';
import { JOB_STATUSES } from '@kinora/contracts/jobs/job';
import type { JobSummary, JobSummaryPage, ListAllJobsRequest } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRFC3339 } from 'class-validator';
import { validate as isUuid } from 'uuid';
import { type Cursor, decodeCursor, encodeCursor } from '../../job/cursor';
import { type IdRange, intersect, rangeOfBeginning, rangeOfTimes } from '../id-range';
import { JobRepository } from '../../job/job.repository';
import {
  type FoundJobRow,
  JOBS_READ_A_PAGE_OF_ACCOUNT,
  JobSummaryRepository,
  type JobSummaryRow,
} from '../job-summary.repository';
import { chargedMicros } from '../../job/job.view';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** The longest name of a model, an instance or an error. */
const MAX_NAME_LENGTH = 200;

/** Lists jobs of all accounts, or of one, for operators: newest first, a page at a time. */
@Injectable()
export class ListAllJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly summaries: JobSummaryRepository,
  ) {}

  async execute(request: ListAllJobsRequest): Promise<JobSummaryPage> {
    assertUsable(request);
    const { limit = DEFAULT_LIMIT, cursor, search } = request;
    const before = cursor === undefined ? null : decodeCursor(cursor);
    const { rows, end } =
      search !== undefined && isUuid(search)
        ? await this.find(request, search)
        : await this.list(request, before, limit + 1);
    const page = rows.slice(0, limit);
    // A page that is not full has read all rows that it may read, or all that exist.
    const last = (rows.length > limit && page.at(-1)) || end;
    return {
      data: page.map(toSummary),
      has_more: last !== null,
      next_cursor: last ? encodeCursor({ createdAt: last.created_at, id: last.id }) : null,
    };
  }

  private async find(request: ListAllJobsRequest, id: string): Promise<ReadPage> {
    const row = await this.summaries.find(id);
    return { rows: row && matches(row, request, rangeOf(request)) ? [row] : [], end: null };
  }

  private async list(request: ListAllJobsRequest, before: Cursor | null, limit: number): Promise<ReadPage> {
    const range = rangeOf(request);
    const { account_id, status = null, model = null, provider = null, error_code: errorCode = null } = request;
    const isPlain = provider === null && errorCode === null && range.from === null && range.before === null;
    if (account_id !== undefined && isPlain)
      return { rows: await this.jobs.list(account_id, { status, model, limit, before }), end: null };
    if (account_id !== undefined) return this.searchAccount(account_id, request, { range, before });
    const open = intersect(range, { from: null, before: before?.id ?? null });
    const filter = { status, model, provider, errorCode, beforeId: open.before };
    const isFiltered = [status, model, provider, errorCode].some((field) => field !== null);
    const end = isFiltered ? await this.summaries.findPageEnd(filter) : null;
    const isLast = end === null || (open.from !== null && end.id < open.from);
    const rows = await this.summaries.list(filter, limit, isLast ? open.from : end.id);
    return { rows, end: isLast ? null : end };
  }

  /** No index has these fields, so the search reads a part of the account's jobs for each page. */
  private async searchAccount(accountId: string, request: ListAllJobsRequest, place: Place): Promise<ReadPage> {
    const { range, before } = place;
    const start =
      before ?? (request.until === undefined ? null : { createdAt: new Date(request.until), id: LOWEST_ID });
    const status = request.error_code === undefined ? (request.status ?? null) : 'failed';
    const read = await this.summaries.listOfAccount(accountId, status, start);
    const last = read.length < JOBS_READ_A_PAGE_OF_ACCOUNT ? null : (read.at(-1) ?? null);
    const isLast = last === null || (range.from !== null && last.id < range.from);
    return { rows: read.filter((row) => matches(row, request, range)), end: isLast ? null : last };
  }
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

interface Place {
  range: IdRange;
  before: Cursor | null;
}

interface ReadPage {
  rows: (JobSummaryRow & { provider?: string })[];
  /** The last job that was read, if there are more. */
  end: Pick<FoundJobRow, 'id' | 'created_at'> | null;
}

function rangeOf({ search, since, until }: ListAllJobsRequest): IdRange {
  const times = rangeOfTimes(
    since === undefined ? null : new Date(since),
    until === undefined ? null : new Date(until),
  );
  const beginning = search === undefined ? null : rangeOfBeginning(search);
  return beginning === null ? times : intersect(times, beginning);
}

function matches(row: FoundJobRow, request: ListAllJobsRequest, { from, before }: IdRange): boolean {
  const { account_id, status, model, provider, error_code } = request;
  const fields = Object.entries({ account_id, status, model, provider, error_code });
  return (
    fields.every(([name, sought]) => sought === undefined || row[name as keyof FoundJobRow] === sought) &&
    (from === null || row.id >= from) &&
    (before === null || row.id < before)
  );
}

function assertUsable(request: ListAllJobsRequest): void {
  const { account_id, status, limit, search } = request;
  if (account_id !== undefined && !isUuid(account_id)) throw invalid('account_id', 'a UUID');
  if (status !== undefined && !JOB_STATUSES.includes(status)) throw invalid('status', JOB_STATUSES.join(', '));
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
    throw invalid('limit', `a whole number from 1 to ${MAX_LIMIT}`);
  if (search !== undefined && (typeof search !== 'string' || rangeOfBeginning(search) === null))
    throw invalid('search', 'the id of a job or its beginning');
  for (const field of ['model', 'provider', 'error_code'] as const) assertName(field, request[field]);
  for (const field of ['since', 'until'] as const) assertTime(field, request[field]);
}

function assertName(field: string, value: unknown): void {
  if (value !== undefined && (typeof value !== 'string' || value.length > MAX_NAME_LENGTH))
    throw invalid(field, `a text of at most ${MAX_NAME_LENGTH} characters`);
}

function assertTime(field: string, value: unknown): void {
  if (value !== undefined && (typeof value !== 'string' || !isRFC3339(value) || Number.isNaN(Date.parse(value))))
    throw invalid(field, 'a time such as 2026-12-31T23:59:59Z');
}

function invalid(field: string, rule: string): ApiError {
  return new ApiError('invalid_body', `${field} must be ${rule}.`, { param: field });
}

function toSummary(row: JobSummaryRow & { provider?: string }): JobSummary {
  const { id: job_id, account_id, status, kind, model, error_code, created_at, completed_at, provider } = row;
  return {
    ...{ job_id, account_id, status, kind, model, error_code, charged_micros: chargedMicros(row) },
    created_at: created_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
    ...(provider !== undefined && { provider }),
  };
}
