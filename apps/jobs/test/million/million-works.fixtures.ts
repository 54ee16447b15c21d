import { MeasuredDatabase } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { AttemptCancelRepository } from '../../src/attempt/attempt-cancel.repository';
import { AttemptPollRepository } from '../../src/attempt/attempt-poll.repository';
import { AttemptRepository } from '../../src/attempt/attempt.repository';
import { OrphanSweepRepository, StoredObjectRepository } from '../../src/deletion/orphan-sweep.repository';
import { JobClaimsRepository } from '../../src/dispatch/job-claims.repository';
import { BacklogRepository } from '../../src/intake/backlog';
import { IdempotencyKeyRepository, PURGE_PAGE } from '../../src/intake/idempotency-key.repository';
import { JobInsertRepository } from '../../src/job/job-insert.repository';
import type { JobRow } from '../../src/job/job.entity';
import { JobRepository } from '../../src/job/job.repository';
import { migrations } from '../../src/migrations/migrations';
import { PricedJobRepository } from '../../src/operations/hold-audit.repository';
import { JobCountsRepository } from '../../src/operations/job-counts.repository';
import { JobSearchRepository } from '../../src/reading/job-search.repository';
import { VideoListRepository } from '../../src/reading/video-list.repository';
import { QueueHeadsRepository } from '../../src/scheduling/queue-heads.repository';
import { insertJob, newJob } from '../new-job.fixtures';
import { monthsOf } from '../spec-database.fixtures';
import { worksOfEndings } from './million-endings.fixtures';
import { fillEvents, worksOfEvents } from './million-events.fixtures';
import { MANY_JOBS, jobId } from './million-ids.fixtures';
import { FIRST_RUNNING, MANY, fillJobs } from './million-jobs.fixtures';
import { fillProgress, worksOfProgress } from './million-progress.fixtures';
import { SEARCHES } from './million-reads.fixtures';
import { fillReceiptKeys, worksOfReceipts, worksOfUsage } from './million-receipts.fixtures';
import { fillRequests, listSummaries, worksOfRequests } from './million-requests.fixtures';
import { fillRuns, worksOfRuns } from './million-runs.fixtures';

/** The schema of jobs with all of its tables filled. */
export async function createMillionJobs(): Promise<MeasuredDatabase> {
  const database = await MeasuredDatabase.create('jobs', migrations, async (test) => {
    await Promise.all([fillJobs, fillEvents, fillReceiptKeys].map((fill) => fill(test)));
    // Their times are those of the last hours, and the jobs take many minutes.
    await Promise.all([fillProgress, fillRequests, fillRuns].map((fill) => fill(test)));
  });
  await monthsOf(database)[0].boundOpenMonths(new Date());
  return database;
}

/** Work for each statement of the context. */
export function worksOf(database: MeasuredDatabase): (() => Promise<unknown>)[] {
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
    ...SEARCHES.map((filter) => () => new JobSearchRepository(database).find(MANY, filter, 101)),
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
    () => new PricedJobRepository(database).list(jobId(MANY_JOBS / 2), 500),
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
