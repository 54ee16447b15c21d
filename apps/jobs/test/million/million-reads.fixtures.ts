import { JOB_STATUSES, type JobStatus } from '@kinora/contracts/jobs/job';
import type { Database } from '@kinora/database';
import { JobRepository } from '../../src/job/job.repository';
import { JobSummaryRepository } from '../../src/operations/job-summary.repository';
import { type JobSearchFilter, JobSearchRepository } from '../../src/reading/job-search.repository';
import { VideoListRepository } from '../../src/reading/video-list.repository';
import { UsageRepository } from '../../src/usage/usage.repository';
import { MONTH_ENDS, jobId } from './million-ids.fixtures';

const HOUR_MS = 60 * 60_000;
const MIDDLE = { createdAt: new Date(MONTH_ENDS.getTime() - 15 * 24 * HOUR_MS), id: jobId(1) };
const STATUSES: (JobStatus | null)[] = [null, ...JOB_STATUSES];
/** Whole days, days with hours and minutes around them, and less than a day. */
const PERIODS_HOURS_AGO = [
  [600, 24],
  [600.51, 24.37],
  [30.7, 0.01],
  [0.9, 0.1],
] as const;

const ANY_JOB = { words: [], kind: null, status: null, model: null, from: null, to: null, before: null };
const BY_WORDS: JobSearchFilter = { ...ANY_JOB, words: ['rare'] };
/** A page reads the newest thousand jobs, or those of a time. */
export const SEARCHES: JobSearchFilter[] = [
  BY_WORDS,
  { ...ANY_JOB, kind: 'video.generation', status: 'succeeded', model: 'other' },
  { ...ANY_JOB, from: new Date(MIDDLE.createdAt.getTime() - 24 * HOUR_MS), to: MIDDLE.createdAt },
];

export interface Read {
  name: string;
  work: (database: Database, account: string) => Promise<unknown>;
}

/** What a client reads of its own jobs: every list from its beginning and from a time on, and usage. */
export const READS: Read[] = [
  ...STATUSES.flatMap((status) => [null, 'one', 'other'].map((model) => ({ status, model }))).map(
    ({ status, model }): Read => ({
      name: `the jobs of status ${status} and model ${model}`,
      work: (database, account) => {
        const jobs = new JobRepository(database);
        return eachOf([null, MIDDLE], (before) => jobs.list(account, { status, model, before, limit: 21 }));
      },
    }),
  ),
  ...(['asc', 'desc'] as const).map((order): Read => ({
    name: `the videos, ${order}`,
    work: (database, account) => {
      const videos = new VideoListRepository(database);
      return eachOf([null, MIDDLE], (after) => videos.list(account, { after, order, limit: 21 }));
    },
  })),
  ...(['day', 'model'] as const).map((group): Read => ({
    name: `usage by ${group}`,
    work: (database, account) => {
      const usage = new UsageRepository(database);
      const at = (hours: number) => new Date(MONTH_ENDS.getTime() - hours * HOUR_MS);
      return eachOf(PERIODS_HOURS_AGO, ([from, to]) =>
        usage.sum(account, { from: at(from), to: at(to), truncated: false }, group),
      );
    },
  })),
  {
    name: "the operators' list",
    work: (database, account) => new JobSummaryRepository(database).listOfAccount(account, null, null),
  },
  {
    name: 'a search by words',
    work: (database, account) => new JobSearchRepository(database).find(account, BY_WORDS, 21),
  },
];

async function eachOf<Item>(items: readonly Item[], read: (item: Item) => Promise<unknown>): Promise<void> {
  for (const item of items) await read(item);
}
