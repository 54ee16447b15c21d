import type { Job } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { RecentIds } from './job-watch';

const SAFETY_READ_EVERY_MS = 15_000;
const REAL_TIMERS = ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'];

const testBed = useGateway();
const { contexts } = testBed;

beforeEach(() => {
  // Only intervals are faked: everything else of the gateway runs as usual.
  jest.useFakeTimers({ doNotFake: REAL_TIMERS as never });
});
afterEach(() => jest.useRealTimers());

describe('the safety read of watched jobs', () => {
  it('ends a wait whose signal was lost, by one request for all watched jobs, also after one that failed', async () => {
    const jobs = [1, 2].map((): Job => ({ ...JOB, id: crypto.randomUUID() }));
    const ended = new Set<string>();
    contexts.on(jobsRpc.get, ({ job_id }) => ({
      ...JOB,
      id: job_id,
      ...(ended.has(job_id) && { status: 'canceled', completed_at: JOB.created_at }),
    }));
    const gateway = await testBed.startGateway({});
    const answers = jobs.map(({ id }) =>
      gateway.client.send('GET', `/v1/jobs/${id}`, { headers: { Prefer: 'wait=60', Connection: 'close' } }),
    );
    await waitFor(() => gateway.waitingRequests() === 2);
    contexts.on(jobsRpc.listEnded, fail('capacity', 'away'));
    jest.advanceTimersByTime(SAFETY_READ_EVERY_MS);
    await waitFor(() => contexts.of(jobsRpc.listEnded).length === 1);
    contexts.on(jobsRpc.listEnded, () => ({ ended: [...ended] }));
    for (const { id } of jobs) ended.add(id);
    jest.advanceTimersByTime(SAFETY_READ_EVERY_MS);
    for (const answer of await Promise.all(answers)) expect(answer.json<Job>().status).toBe('canceled');
    expect(contexts.of(jobsRpc.listEnded).at(-1)?.job_ids.sort()).toEqual(jobs.map(({ id }) => id).sort());
    expect(contexts.of(jobsRpc.listEnded)).toHaveLength(2);
  });
});

describe('recent ids', () => {
  it('are remembered for ten seconds at least, and forgotten after twenty', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const ids = new RecentIds();
    ids.add('a');
    now.mockReturnValue(10_001);
    ids.add('b');
    expect([ids.has('a'), ids.has('b'), ids.has('c')]).toEqual([true, true, false]);
    now.mockReturnValue(20_002);
    ids.add('c');
    expect([ids.has('a'), ids.has('b')]).toEqual([false, true]);
    now.mockRestore();
  });
});
