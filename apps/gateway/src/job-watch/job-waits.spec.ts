import { get } from 'node:http';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ManualClock, waitFor } from '@kinora/testing';
import { API_KEY, JOB, fail } from '../../test/contexts.fixtures';
import { GatewayTestBed, useGateway, type TestGateway } from '../../test/gateway.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';

const ENDED: Job = { ...JOB, status: 'canceled', completed_at: '2026-11-20T09:00:01.000Z' };
const PROMPT = { prompt: 'a fox' };

const clock = new ManualClock();
const testBed = useGateway({ KINORA_KEY_WAITS_MAX: '2' }, new GatewayTestBed(clock));
const { contexts } = testBed;
let job: Job;

beforeEach(() => {
  // A job of its own, because the gateway remembers for some seconds which jobs have ended.
  job = { ...JOB, id: crypto.randomUUID() };
  contexts.on(jobsRpc.get, () => job);
  contexts.on(jobsRpc.create, () => ({ job, replayed: false }));
});

const getJob = (prefer: string, gateway: TestGateway = testBed.gateway): Promise<TestResponse> =>
  gateway.client.send('GET', `/v1/jobs/${job.id}`, { headers: { Prefer: prefer, Connection: 'close' } });
const createJob = (prefer: string, headers = {}): Promise<TestResponse> =>
  testBed.client.send('POST', '/v1/images/generations', { json: PROMPT, headers: { Prefer: prefer, ...headers } });
const reads = (): number => contexts.of(jobsRpc.get).length;
const waiting = (gateway: TestGateway = testBed.gateway): number => gateway.waitingRequests();

/** The answer to a request after its seconds. */
async function afterWait(answer: Promise<TestResponse>, seconds: number): Promise<TestResponse> {
  await waitFor(() => waiting() === 1);
  clock.advance(seconds * 1_000);
  return answer;
}

/** Ends the job as the jobs context does: the state first, the signal after it. */
function end(): void {
  job = { ...ENDED, id: job.id };
  testBed.bus.signal(jobsSignals.changed, { updated: [], ended: [job.id], ended_accounts: [] });
}

describe('a request that prefers to wait', () => {
  it('is answered when the job has ended, by one read for all who wait for it', async () => {
    const answers = [getJob('wait=30'), getJob('wait=30')];
    await waitFor(() => waiting() === 2);
    const readsBefore = reads();
    end();
    for (const { status, headers, json } of await Promise.all(answers)) {
      expect([status, headers['preference-applied'], json<Job>().status]).toEqual([200, 'wait=30', 'canceled']);
    }
    expect(reads() - readsBefore).toBe(1);
    expect([waiting(), clock.waiting]).toEqual([0, 0]);
  });

  it('is answered after its seconds with the job as it then is', async () => {
    // The job begins after the read before the wait.
    contexts.on(jobsRpc.get, () => {
      const read = job;
      job = { ...job, status: 'processing' };
      return read;
    });
    const { status, headers, json } = await afterWait(getJob('wait=1'), 1);
    expect([status, headers['preference-applied'], json<Job>().status]).toEqual([200, 'wait=1', 'processing']);
  });

  it('is not held up by a job that has ended before, or between the read and the wait', async () => {
    job = { ...ENDED, id: job.id };
    expect((await getJob('wait=30')).headers['preference-applied']).toBe('wait=30');
    const stale = { ...JOB, id: crypto.randomUUID() };
    let readsOfStale = 0;
    contexts.on(jobsRpc.get, async () => {
      readsOfStale += 1;
      if (readsOfStale > 1) return { ...ENDED, id: stale.id };
      // The end is reported while the first read, which has seen the job in flight, is under way.
      testBed.bus.signal(jobsSignals.changed, { updated: [], ended: [stale.id], ended_accounts: [] });
      await testBed.bus.pingBroker();
      return stale;
    });
    job = stale;
    expect((await getJob('wait=30')).json<Job>().status).toBe('canceled');
    expect(contexts.of(jobsRpc.listEnded)).toEqual([]);
  });

  it('does not wait for a signal of another job, nor for an update', async () => {
    const answer = getJob('wait=1');
    await waitFor(() => waiting() === 1);
    testBed.bus.signal(jobsSignals.changed, { updated: [job.id], ended: [JOB.id], ended_accounts: [] });
    await testBed.bus.pingBroker();
    // Its answer from jobs follows the signal on the connection of the gateway.
    await getJob('');
    await afterWait(answer, 1);
    expect(reads()).toBe(3);
  });

  it('creates a job, and is answered 200 where it has ended and 202 otherwise', async () => {
    const ended = createJob('wait=30');
    await waitFor(() => waiting() === 1);
    end();
    expect([(await ended).status, (await ended).headers['preference-applied']]).toEqual([200, 'wait=30']);
    job = { ...JOB, id: crypto.randomUUID() };
    const inFlight = await afterWait(createJob('wait=1'), 1);
    expect([inFlight.status, inFlight.headers['preference-applied']]).toEqual([202, 'wait=1']);
  });

  it('waits for the job of a replay too', async () => {
    contexts.on(jobsRpc.create, () => ({ job, replayed: true }));
    const replayed = createJob('wait=30', { 'Idempotency-Key': 'same' });
    await waitFor(() => waiting() === 1);
    end();
    const { status, headers, json } = await replayed;
    expect([status, json<Job>().status]).toEqual([200, 'canceled']);
    expect(headers).toMatchObject({ 'idempotency-replayed': 'true', 'preference-applied': 'wait=30' });
  });

  it('answers with the created job where the reads fail', async () => {
    contexts.on(jobsRpc.get, fail('capacity', 'away'));
    const answer = createJob('wait=5');
    await waitFor(() => waiting() === 1);
    end();
    await waitFor(() => reads() === 1);
    const { status, json } = await afterWait(answer, 5);
    expect([status, json<Job>().status]).toEqual([202, 'queued']);
    // The read after the signal and the one after the wait: no loop of reads while they fail.
    expect(reads()).toBe(2);
  });

  it('gives its body up while it waits', async () => {
    const answer = createJob('wait=30');
    await waitFor(() => waiting() === 1);
    expect(await testBed.gateway.heldBodyBytes()).toBe(0);
    end();
    await answer;
  });

  it('is answered without waiting beyond the limit of its key, and a client that leaves frees its place', async () => {
    const left = get({
      ...{ host: '127.0.0.1', port: testBed.gateway.port, path: `/v1/jobs/${job.id}`, agent: false },
      headers: { Authorization: `Bearer ${API_KEY}`, Prefer: 'wait=60' },
    }).on('error', () => undefined);
    const held = getJob('wait=60');
    await waitFor(() => waiting() === 2);
    const beyond = await getJob('wait=60');
    expect([beyond.status, beyond.headers['preference-applied']]).toEqual([200, undefined]);
    left.destroy();
    await waitFor(() => waiting() === 1);
    expect(contexts.of(jobsRpc.cancel)).toEqual([]);
    end();
    await held;
  });

  it('is answered without waiting beyond seven tenths of the connections of the process', async () => {
    const gateway = await testBed.startGateway({ KINORA_CONNECTIONS_MAX: '2', KINORA_ADDRESS_CONNECTIONS_MAX: '2' });
    const held = getJob('wait=60', gateway);
    await waitFor(() => waiting(gateway) === 1);
    expect((await getJob('wait=60', gateway)).headers['preference-applied']).toBeUndefined();
    end();
    await held;
  });

  it.each(['respond-async', 'wait=0', 'wait=x'])('ignores the preference %s', async (prefer) => {
    const { status, headers } = await getJob(prefer);
    expect([status, headers['preference-applied']]).toEqual([200, undefined]);
  });

  it('is answered at once when the process stops', async () => {
    const gateway = await testBed.startGateway({});
    const answer = getJob('wait=60', gateway);
    await waitFor(() => waiting(gateway) === 1);
    const closed = gateway.close();
    expect((await answer).json<Job>().status).toBe('queued');
    await closed;
  });
});
