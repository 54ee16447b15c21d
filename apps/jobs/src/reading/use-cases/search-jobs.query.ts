import { Injectable } from '@nestjs/common';
import { Bus, toPage } from '@kinora/bus';
import { portalRpc } from '@kinora/contracts/billing/portal.rpc';
import { JOB_KINDS, JOB_STATUSES, type Job, type JobList } from '@kinora/contracts/jobs/job';
import type { SearchJobsRequest } from '@kinora/contracts/jobs/own-jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isStorableText, parseTimeText } from '@kinora/contracts/shared/texts';
import { decodeCursor, encodeCursor, LIST_PAGE_MAX_BYTES } from '../../job/cursor';
import { JobPresenter } from '../../job/job.view';
import { type JobSearchFilter, JobSearchRepository } from '../job-search.repository';

const MAX_LIMIT = 100;
const TEXT = { min: 0, max: 200 };
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 24 * 60 * 60_000;

/** Finds the account's jobs by words of their prompts, their kind and their days, newest first. Deleted prompts are found by nothing. */
@Injectable()
export class SearchJobs {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobSearchRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** @throws ApiError invalid_api_key, invalid_query */
  async execute({ key_sha256, limit, ...asked }: SearchJobsRequest): Promise<JobList> {
    const filter = readFilter(asked);
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
      throw invalid('limit', `a whole number from 1 to ${MAX_LIMIT}`);
    const { account_id: accountId } = await this.bus.request(portalRpc.describeKey, { key_sha256 });
    const { jobs, end } = await this.jobs.find(accountId, filter, limit + 1);
    const found = await Promise.all(jobs.map((row) => this.presenter.toJob(row)));
    const cursorOf = ({ created_at, id }: Job): string => encodeCursor({ createdAt: new Date(created_at), id });
    const page = toPage(found, { limit, maxBytes: LIST_PAGE_MAX_BYTES, cursorOf });
    if (page.has_more || end === null) return { object: 'list', ...page };
    return { object: 'list', data: page.data, has_more: true, next_cursor: encodeCursor(end) };
  }
}

function readFilter(asked: Omit<SearchJobsRequest, 'key_sha256' | 'limit'>): JobSearchFilter {
  const { words = '', kind = null, status = null, model = null, cursor } = asked;
  if (kind !== null && !JOB_KINDS.includes(kind)) throw invalid('kind', JOB_KINDS.join(', '));
  if (status !== null && !JOB_STATUSES.includes(status)) throw invalid('status', JOB_STATUSES.join(', '));
  for (const [param, text] of Object.entries({ words, model: model ?? '' }))
    if (!isStorableText(text, TEXT)) throw invalid(param, `a text of at most ${TEXT.max} characters`);
  const last = readDay('to', asked.to);
  return {
    words: words.split(/\s+/).filter((word) => word !== ''),
    ...{ kind, status, model },
    from: readDay('from', asked.from),
    to: last && new Date(last.getTime() + DAY_MS),
    before: cursor === undefined ? null : decodeCursor(cursor),
  };
}

function readDay(param: 'from' | 'to', text: string | undefined): Date | null {
  if (text === undefined) return null;
  const day = typeof text === 'string' && DAY.test(text) ? parseTimeText(text) : null;
  if (day === null) throw invalid(param, 'a day such as 2026-11-20');
  return day;
}

function invalid(param: string, rule: string): ApiError {
  return new ApiError('invalid_query', `${param} must be ${rule}.`, { param });
}
