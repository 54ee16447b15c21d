import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../test/spec-database.fixtures';
import { insertJob, newJob } from '../../test/new-job.fixtures';
import { JobInsertRepository } from '../job/job-insert.repository';
import { AttemptPollRepository } from './attempt-poll.repository';
import { AttemptRepository } from './attempt.repository';
import type { AttemptProgress, AttemptRow, AttemptState } from './attempt.row';
import { JobClaimsRepository } from '../dispatch/job-claims.repository';

const SECOND_MS = 1_000;
const EXPIRE_LEASE = statement(
  'spec_expire_lease',
  `UPDATE attempt SET next_check_at = clock_timestamp() - interval '1 second' WHERE job_id = $1`,
);
const STANDING = statement(
  'spec_standing',
  `SELECT fence, state, outcome, attempt.problem, attempt.upstream_ref, spooled, job.status, claimable_at, started_at
     FROM attempt JOIN job ON job.id = job_id WHERE job_id = $1`,
);
const SECONDS_LEFT = statement(
  'spec_seconds_left',
  'SELECT extract(epoch FROM deadline_at - clock_timestamp())::float8 AS seconds FROM job WHERE id = $1',
);

describe('an attempt', () => {
  const database = useDatabase();

  const attempts = new AttemptRepository(database);
  const polls = new AttemptPollRepository(database);

  /** The attempt of a new job at a provider of its own, claimed by the first worker. */
  async function open(limits: { queue_timeout_ms: number; run_timeout_ms: number }): Promise<AttemptRow> {
    const provider = uuidv7();
    const plan = { run_timeout_ms: limits.run_timeout_ms, sync_wait_ms: 0, loras: [], routes: [] };
    const job = newJob({ model: provider, provider, plan, queue_timeout_ms: limits.queue_timeout_ms });
    await insertJob(new JobInsertRepository(database), job);
    const choice = { provider: { id: provider }, slots: { common: 10, newcomers: 0 } };
    const claimed = await new JobClaimsRepository(database).open(provider, 1, () => Promise.resolve(choice));
    return claimed[0]?.attempt ?? fail();
  }

  const progress = (claim: AttemptRow, state: AttemptState, news: Partial<AttemptProgress> = {}): AttemptProgress => ({
    ...{ job_id: claim.job_id, number: claim.number, fence: claim.fence, state, next_poll_in_ms: 60 * SECOND_MS },
    ...{ problem: null, ...news },
  });
  const standing = (jobId: string) => database.findOne(STANDING, [jobId]);
  const secondsLeft = async (jobId: string): Promise<number> =>
    (await database.findOne<{ seconds: number }>(SECONDS_LEFT, [jobId]))?.seconds ?? fail();

  const LIMITS = { queue_timeout_ms: 300 * SECOND_MS, run_timeout_ms: 300 * SECOND_MS };

  it.each([
    ['longer', 200, 4_000],
    ['shorter', 4_000, 200],
  ])('sets the run deadline of its job when it begins, which is %s than the queue deadline', async (_, queue, run) => {
    const attempt = await open({ queue_timeout_ms: queue * SECOND_MS, run_timeout_ms: run * SECOND_MS });
    await polls.recordProgress([progress(attempt, 'accepted')]);
    expect(Math.abs((await secondsLeft(attempt.job_id)) - queue)).toBeLessThan(100);
    await polls.recordProgress([progress(attempt, 'running')]);
    expect(Math.abs((await secondsLeft(attempt.job_id)) - run)).toBeLessThan(100);
  });

  /** A worker takes over an attempt from another one after the lease has expired. */
  const TAKEOVERS: [string, (provider: string) => Promise<AttemptRow | null>, AttemptState][] = [
    ['being sent', async (provider) => (await polls.claimDue(provider, 1))[0] ?? null, 'submitting'],
    ['being collected', (provider) => attempts.claimReady(provider), 'collecting'],
  ];

  describe.each(TAKEOVERS)('that another worker has taken over while it was %s', (_, claim, state) => {
    let stale: AttemptRow;
    let holder: AttemptRow;
    let before: unknown;

    beforeEach(async () => {
      const opened = await open(LIMITS);
      if (state === 'collecting') await polls.recordProgress([progress(opened, 'collecting')]);
      const claimNow = async (): Promise<AttemptRow> => {
        await database.execute(EXPIRE_LEASE, [opened.job_id]);
        return (await claim(opened.provider)) ?? fail();
      };
      stale = state === 'collecting' ? await claimNow() : opened;
      holder = await claimNow();
      before = await standing(stale.job_id);
    });

    it.each<[string, () => Promise<unknown>, unknown]>([
      [
        'record its acceptance',
        () => polls.recordProgress([progress(stale, 'accepted', { upstream_ref: { id: 1 } })]),
        [],
      ],
      ['record its start', () => polls.recordProgress([progress(stale, 'running')]), []],
      [
        'record its outputs',
        () => polls.recordProgress([progress(stale, 'collecting', { spooled: { object_keys: ['a'], gpu_ms: 1 } })]),
        [],
      ],
      [
        'put it back with a problem',
        () => polls.reschedule(progress(stale, state, { problem: 'capacity' })),
        undefined,
      ],
      [
        'let it succeed',
        () => attempts.close(database, stale, { outcome: 'succeeded', gpuMs: 1, reason: null }),
        false,
      ],
      ['let it fail', () => attempts.close(database, stale, { outcome: 'failed', gpuMs: null, reason: null }), false],
      [
        'requeue its job',
        () => attempts.requeue(stale, { outcome: 'lost', problem: null, delayMs: 0, gpuMs: null, reason: null }),
        false,
      ],
      ['renew its lease', async () => [...(await attempts.renew([stale]))], []],
    ])('keeps the first worker from being able to %s', async (_what, write, answer) => {
      expect(await write()).toEqual(answer);
      expect(await standing(stale.job_id)).toEqual(before);
      expect([...(await attempts.findHeld([stale]))]).toEqual([]);
      expect([...(await attempts.renew([holder]))]).toEqual([holder.job_id]);
      expect(await attempts.close(database, holder, { outcome: 'succeeded', gpuMs: 2, reason: null })).toBe(true);
      expect(await standing(stale.job_id)).toMatchObject({ state: 'ended', outcome: 'succeeded' });
    });
  });
});
