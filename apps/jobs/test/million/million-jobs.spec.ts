import path from 'node:path';
import type { JobStatus } from '@kinora/contracts/jobs/job';
import type { JobSummaryPage } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { type CostLimits, MeasuredDatabase, type StatementCost, statementNames } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { AttemptCancelRepository } from '../../src/attempt/attempt-cancel.repository';
import { AttemptPollRepository } from '../../src/attempt/attempt-poll.repository';
import { AttemptRepository } from '../../src/attempt/attempt.repository';
import { JobClaimsRepository } from '../../src/dispatch/job-claims.repository';
import { QueueHeadsRepository } from '../../src/scheduling/queue-heads.repository';
import { PricedJobRepository } from '../../src/operations/hold-audit.repository';
import { worksOfEndings } from './million-endings.fixtures';
import { fillEvents, worksOfEvents } from './million-events.fixtures';
import { MANY_JOBS, MONTH_ENDS, jobId } from './million-ids.fixtures';
import { FEW, FIRST_RUNNING, MANY, fillJobs } from './million-jobs.fixtures';
import { fillProgress, worksOfProgress } from './million-progress.fixtures';
import { fillReceiptKeys, worksOfReceipts, worksOfUsage } from './million-receipts.fixtures';
import { listSummaries, fillRequests, worksOfRequests } from './million-requests.fixtures';
import { fillRuns, worksOfRuns } from './million-runs.fixtures';
import { IdempotencyKeyRepository, PURGE_PAGE } from '../../src/intake/idempotency-key.repository';
import { insertJob, newJob } from '../new-job.fixtures';
import { monthsOf } from '../spec-database.fixtures';
import { JobInsertRepository } from '../../src/job/job-insert.repository';
import { JobRepository } from '../../src/job/job.repository';
import { encodeCursor } from '../../src/job/cursor';
import { JobCountsRepository } from '../../src/operations/job-counts.repository';
import { JobSummaryRepository } from '../../src/operations/job-summary.repository';
import type { JobRow } from '../../src/job/job.entity';
import { migrations } from '../../src/migrations/migrations';
import { BacklogRepository } from '../../src/intake/backlog';
import { OrphanSweepRepository, StoredObjectRepository } from '../../src/deletion/orphan-sweep.repository';
import { ListAllJobs } from '../../src/operations/use-cases/list-all-jobs.query';
import { JobSearchRepository } from '../../src/reading/job-search.repository';
import { VideoListRepository } from '../../src/reading/video-list.repository';
import { UsageRepository } from '../../src/usage/usage.repository';

/** Audits of operators, which read all rows on purpose. */
const AUDITS = ['usage_allow_a_minute', 'usage_find_violations'];
/** The statements behind gauges and totals: each has a limit, and is cached. */
const COUNTS = [
  'attempt_count_by_instance',
  'attempt_count_tasks',
  'attempt_list_unknown',
  'job_count_failures',
  'job_count_in_flight',
  'job_count_unsettled',
];
const LIMITS: CostLimits = {
  // A page of rows, each found by an index. A statement that reads all jobs in flight reads ten thousand rows here.
  most: 600,
  // A page of rows, each of which is added to or removed from every index of its table.
  mostOf: {
    // An hour of four instances, with a run a second.
    instance_hour_list: 800,
    attempt_open: 2_500,
    attempt_claim_polls: 1_500,
    attempt_claim_others: 3_000,
    attempt_record_work: 2_500,
    feed_prune: 7_500,
    run_time_prune: 2_500,
    instance_run_prune: 7_500,
    // The last two thousand runs of each of four instances. One process reads them every two seconds.
    instance_run_measure: 10_000,
    unkeyed_purge: 7_500,
    // All jobs in flight, for each page of a listing: a sweep of one process, which no client starts.
    object_find_orphan_inputs: 3_000,
    // A page of events, each of which enters four indexes; for all accounts, a few of such pages.
    feed_number: 10_000,
    feed_number_all: 25_000,
    // Four pages for each open attempt of which there are eleven thousand here. One read at a time and two a second, for all clients.
    model_load_read: 60_000,
    // The run times of an hour, and the queue of fifty thousand jobs by its index. One read at a time, for all clients.
    run_time_list: 1_500,
    // The rows too, because the index does not hold the id, by which the months are bounded. One read a second and model.
    queue_marks_read: 2_500,
    backlog_count: 2_500,
    // Its trigger is planned for all months once a connection.
    job_give_up_unknown: 1_000,
    // The catalog, with the sizes of forty months. Once in ten minutes.
    partition_list: 20_000,
    // The first 500 places of a queue, stored anywhere, and four pages for each job of a batch.
    job_progress_read: 1_000,
    idempotency_purge: 7_500,
    // The newest thousand jobs of an account, stored anywhere: four pages for each.
    job_search: 5_000,
    job_claim_unended_holds: 2_500,
    job_claim_uncleared_files: 2_500,
    job_claim_expired_outputs: 2_500,
  },
  // All rows of the first are to be processed, and a third of those of the second are read. The third is small: a row
  // for each key that has signed.
  // They read back month by month, or the rest of all months: a page that one month does not fill, sweeps of what clients deleted
  // at any time, and the months themselves.
  acrossPartitions: [
    'job_list',
    'job_search',
    'usage_measure_latency',
    'job_list_of_model',
    'job_list_finished',
    ...['job_list_newest_videos', 'job_list_oldest_videos'],
    ...['job_summary_list', 'job_summary_list_of_account', 'job_claim_expired_outputs', 'job_claim_undeleted_contents'],
  ],
  readWhole: ['usage_pending', 'run_time', 'receipt_key'],
};
/** The tolerance for where an account's rows are stored and for the height of an index, and for jobs of partial minutes: 23 in each. */
const [CHANCE_PAGES, MINUTE_PAGES] = [8, 24];
const HOUR_MS = 60 * 60_000;
/** Whole days, days with hours and minutes around them, and less than a day. */
const PERIODS_HOURS_AGO = [
  [600, 24],
  [600.51, 24.37],
  [30.7, 0.01],
  [0.9, 0.1],
] as const;

describe('with a million jobs', () => {
  let database: MeasuredDatabase;

  beforeAll(async () => {
    database = await MeasuredDatabase.create('jobs', migrations, async (test) => {
      for (const fill of [fillJobs, fillEvents, fillProgress, fillReceiptKeys, fillRequests, fillRuns])
        await fill(test);
    });
    await monthsOf(database)[0].boundOpenMonths(new Date());
  }, 3_600_000);
  afterAll(() => database.close());

  async function expectSameCost(work: (account: string) => Promise<unknown>, chance = CHANCE_PAGES): Promise<void> {
    const [many, few] = [await database.costsOf(() => work(MANY)), await database.costsOf(() => work(FEW))];
    expect(pagesOf(many)).toBeLessThanOrEqual(1.2 * pagesOf(few) + chance);
  }

  const middle = { createdAt: new Date(MONTH_ENDS.getTime() - 15 * 24 * HOUR_MS), id: jobId(1) };
  const STATUSES: (JobStatus | null)[] = [null, 'queued', 'failed', 'canceled', 'succeeded'];
  const LISTS = STATUSES.flatMap((status) => [null, 'one', 'other'].map((model) => ({ status, model })));

  it.each(LISTS)('a list by status $status and model $model costs the same as with a thousand', async (filter) => {
    const jobs = new JobRepository(database);
    for (const before of [null, middle])
      await expectSameCost((account) => jobs.list(account, { ...filter, before, limit: 21 }));
  });

  it.each(['asc', 'desc'] as const)('a list of videos, %s, costs the same as with a thousand jobs', async (order) => {
    const videos = new VideoListRepository(database);
    for (const after of [null, middle])
      await expectSameCost((account) => videos.list(account, { after, order, limit: 21 }));
  });

  it.each(['day', 'model'] as const)('usage by %s of any period costs the same as with a thousand', async (group) => {
    const usage = new UsageRepository(database);
    const at = (hours: number) => new Date(MONTH_ENDS.getTime() - hours * HOUR_MS);
    for (const [from, to] of PERIODS_HOURS_AGO) {
      const period = { from: at(from), to: at(to), truncated: false };
      await expectSameCost((account) => usage.sum(account, period, group), MINUTE_PAGES);
    }
  });

  it("an operator's list with a rare filter reads a part of the jobs for each page, and reaches the rare ones", async () => {
    const list = new ListAllJobs(new JobRepository(database), new JobSummaryRepository(database));
    const found: string[] = [];
    let cursor: string | null = encodeCursor({ createdAt: MONTH_ENDS, id: jobId(58_000) });
    for (let pages = 0; pages < 2 && cursor !== null; pages++) {
      const page: JobSummaryPage = await list.execute({ model: 'rare', cursor });
      found.push(`${page.data.length} of ${pages}`, ...page.data.map(({ job_id }) => job_id));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(['0 of 0', '1 of 1', jobId(50_007)]);
    expect(cursor).not.toBeNull();
  });

  it('every statement uses an index and reads few pages', async () => {
    for (const work of worksOf(database)) await work();
    expect(database.costlierThan(LIMITS)).toEqual([]);
    expect(database.unmeasured(statementNames(path.join(__dirname, '../../src')))).toEqual([...COUNTS, ...AUDITS]);
  });
});

function pagesOf(costs: StatementCost[]): number {
  return costs.reduce((sum, { pages }) => sum + pages, 0);
}

/** Work for each statement of the context. */
function worksOf(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  return [
    ...worksOfJobs(database),
    ...worksOfEndings(database),
    ...worksOfAttempts(database),
    ...worksOfProgress(database),
    ...worksOfReceipts(database),
    ...worksOfUsage(database),
    ...worksOfEvents(database),
    ...worksOfRequests(database),
    ...worksOfRuns(database),
    ...worksOfTheRest(database),
  ];
}

function worksOfJobs(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const jobs = new JobRepository(database);
  const videos = new VideoListRepository(database);
  const claims = new JobClaimsRepository(database);
  const page = Array.from({ length: 50 }, (_, index) => jobId(FIRST_RUNNING + index));
  return [
    () => jobs.find(jobId(7)),
    () => jobs.findOfAccount(jobId(FIRST_RUNNING), MANY),
    () => jobs.list(MANY, { status: null, model: null, before: null, limit: 101 }),
    () => jobs.list(MANY, { status: null, model: 'rare', before: null, limit: 101 }),
    async () => {
      const filter = { words: ['rare'], kind: null, status: null, model: null, from: null, to: null, before: null };
      await new JobSearchRepository(database).find(MANY, filter, 101);
    },
    () => videos.list(MANY, { after: null, order: 'desc', limit: 101 }),
    () => videos.list(MANY, { after: null, order: 'asc', limit: 101 }),
    () => jobs.listFinished(null, 50),
    () => jobs.listEnded(page),
    () => jobs.readClock(),
    () => new QueueHeadsRepository(database).list(),
    () =>
      claims.open('model-1', 50, ({ job: { id } }) =>
        Promise.resolve(
          id.endsWith('2') ? 'postpone' : { provider: { id: 'sandbox' }, slots: { common: 5_000, newcomers: 0 } },
        ),
      ),
    async () => {
      const gpu = { provider: { id: 'gpu' }, slots: { common: 100, newcomers: 0 } };
      expect(await claims.open('model-4', 50, () => Promise.resolve(gpu), { isExclusive: true })).toEqual([]);
    },
    () => claims.openIfNext({ id: jobId(1), model: 'model-1' }, 'sandbox'),
    () => database.transaction((it) => jobs.end(it, jobId(FIRST_RUNNING + 99), { status: 'canceled' })),
    () => jobs.listOverdue(),
    () => jobs.giveUpUnknown([uuidv7(), jobId(MANY_JOBS)]),
    () => insertAnother(database, null),
    () => insertAnother(database, 'key-7'),
    () => new BacklogRepository(database).count('model-2', ['model-2'], Date.now()),
    () => new PricedJobRepository(database).list(jobId(500_000), 500),
    () => new PricedJobRepository(database).find(page),
  ];
}

function worksOfAttempts(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const polls = new AttemptPollRepository(database);
  const attempts = new AttemptRepository(database);
  const cancels = new AttemptCancelRepository(database);
  const claimOf = (place: number) => ({ job_id: jobId(FIRST_RUNNING + place), number: 1, fence: 1 });
  const page = Array.from({ length: 50 }, (_, index) => claimOf(800 + index));
  return [
    () => polls.claimUnpolled([jobId(FIRST_RUNNING + 500)], 5_000),
    () => polls.claimDue('sandbox', 50),
    () => polls.claimOthers('sandbox', [], 100),
    () => polls.claimNamed(claimOf(600)),
    () => polls.pollSoon('sandbox', 'no such task'),
    () => polls.recordProgress([{ ...claimOf(700), state: 'unknown', next_poll_in_ms: 1_000, problem: null }]),
    () =>
      polls.recordProgress(page.map((claim) => ({ ...claim, state: 'collecting', next_poll_in_ms: 0, problem: null }))),
    () => attempts.countOpen('sandbox'),
    // Used for instances with few places only.
    () => attempts.countOpenByAccount('gpu'),
    () => attempts.claimReady('sandbox'),
    () => attempts.renew([claimOf(601)]),
    () => attempts.findHeld([claimOf(602)]),
    () => attempts.requeue(claimOf(603), { outcome: 'lost', problem: null, delayMs: 0, gpuMs: null, reason: null }),
    () => database.transaction((it) => attempts.closeOfJob(it, jobId(FIRST_RUNNING + 604), 'canceled')),
    () => attempts.adoptRef({ job_id: jobId(FIRST_RUNNING + 605), attempt_number: 1 }, {}),
    () => attempts.findPast(jobId(7)),
    () => attempts.list(jobId(7)),
    () => cancels.want(claimOf(603), { upstream_ref: null }),
    async () => {
      for (const attempt of await cancels.claim()) await cancels.finish(attempt, { outcome: 'stopped', gpuMs: 5 });
    },
    () => cancels.findCanceledWork(MANY),
  ];
}

function worksOfTheRest(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const objects = new StoredObjectRepository(database);
  const sweep = new OrphanSweepRepository(database);
  const keys = new IdempotencyKeyRepository(database);
  const key = { key: 'a-new-one', route: 'route', body_sha256: 'body' };
  const object = { key: `outputs/${jobId(9)}/0.png`, bytes: 1, storedAt: new Date(0) };
  return [
    () => objects.findOrphanInputs([{ ...object, key: 'inputs/a' }], 900),
    () => objects.findOrphanOutputs([object], 900),
    () => sweep.claim(jobId(1), 0, 'inputs'),
    () => sweep.move(jobId(1), null),
    () => keys.claim(MANY, key, { job_id: jobId(1), has_images: false }),
    () => keys.find(MANY, 'key-7'),
    () => keys.abandon(MANY, key.key, jobId(1)),
    () => keys.free(MANY, key.key, jobId(1)),
    async () => expect(await keys.purge()).toBe(PURGE_PAGE),
    () => new JobRepository(database).pruneTombstones(),
    () => listSummaries(database),
    () => new JobCountsRepository(database).countCreated(jobId(FIRST_RUNNING)),
  ];
}

/** A job of an account and a model with a long queue. */
function insertAnother(database: MeasuredDatabase, key: string | null): Promise<JobRow | null> {
  const job = newJob({ account_id: MANY, model: 'model-3' });
  return insertJob(new JobInsertRepository(database), job, { idempotencyKey: key });
}
