import type { Job } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ManualClock, waitFor } from '@kinora/testing';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { GatewayTestBed, useGateway } from '../../test/gateway.fixtures';
import { StreamClient } from '../../test/stream-client.fixtures';

const MIN_GAP_MS = 250;

const clock = new ManualClock();
const testBed = useGateway({ KINORA_KEY_STREAMS_MAX: '2' }, new GatewayTestBed(clock));
const { contexts } = testBed;
let job: Job;
let progress: JobProgress;

beforeEach(() => {
  job = { ...JOB, id: crypto.randomUUID() };
  progress = {
    object: 'job.progress',
    job_id: job.id,
    status: 'queued',
    progress: null,
    queue_position: 3,
    eta_seconds: 4.5,
    updated_at: JOB.created_at,
  };
  contexts.on(jobsRpc.get, () => job);
  contexts.on(jobsRpc.getProgress, () => progress);
});

const open = (headers = {}, gateway = testBed.gateway): Promise<StreamClient> =>
  StreamClient.open(gateway.port, `/v1/jobs/${job.id}/events`, headers);

/** Lets time pass until the condition is met. */
const passTimeUntil = (isMet: () => boolean): Promise<true> =>
  waitFor(() => {
    clock.advance(MIN_GAP_MS);
    return isMet();
  });

function update(parts: Partial<JobProgress>): void {
  progress = { ...progress, ...parts };
  testBed.bus.signal(jobsSignals.changed, { updated: [job.id], ended: [], ended_accounts: [] });
}

function end(): void {
  job = { ...job, status: 'canceled', completed_at: '2026-11-20T09:00:01.000Z' };
  progress = { ...progress, status: 'canceled', queue_position: null, eta_seconds: null };
  testBed.bus.signal(jobsSignals.changed, { updated: [], ended: [job.id], ended_accounts: [] });
}

describe('the progress of a job', () => {
  it('is returned as jobs sends it', async () => {
    const { status, json } = await testBed.client.send('GET', `/v1/jobs/${job.id}/progress`);
    expect([status, json()]).toEqual([200, progress]);
    expect(contexts.of(jobsRpc.getProgress)).toEqual([{ account_id: ADMISSION.account_id, job_id: job.id }]);
  });

  it('is 404 for an unknown job, and for no id', async () => {
    contexts.on(jobsRpc.getProgress, fail('not_found', 'There is no such job.'));
    for (const id of [job.id, 'x'])
      for (const part of ['progress', 'events'])
        expect((await testBed.client.send('GET', `/v1/jobs/${id}/${part}`)).status).toBe(404);
  });
});

describe('the events of a job', () => {
  it('are its progress at once and on change, and its end, with which the stream closes', async () => {
    const client = await open();
    const { statusCode, headers } = client.response;
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    expect(headers['x-request-id']).toMatch(/^req_/);
    expect(headers['ratelimit-remaining']).toBe('59');
    await waitFor(() => client.events.length === 1);
    expect(client.text.startsWith('retry: 2000\n\n')).toBe(true);
    expect(client.events[0]).toMatchObject({ type: 'job.progress', data: progress });
    update({ status: 'processing', queue_position: null, progress: 0.4 });
    await passTimeUntil(() => client.events.length === 2);
    expect(client.events[1]).toMatchObject({ type: 'job.progress', data: { progress: 0.4 } });
    end();
    await waitFor(() => client.isClosed);
    expect(client.types.slice(2)).toEqual(['job.canceled']);
    expect(client.events.at(-1)?.data).toEqual(job);
    expect(new Set(client.events.map(({ id }) => id)).size).toBe(3);
  });

  it('do not repeat what has not changed, and are at least a quarter of a second apart', async () => {
    const client = await open();
    await waitFor(() => client.events.length === 1);
    for (let percent = 1; percent <= 99; percent++) {
      update({ status: 'processing', queue_position: null, progress: percent / 100 });
      await testBed.bus.pingBroker();
    }
    // Its answer from jobs follows the signals on the connection of the gateway.
    await testBed.client.send('GET', `/v1/jobs/${job.id}`);
    expect(client.events).toHaveLength(1);
    clock.advance(MIN_GAP_MS);
    await waitFor(() => client.events.length === 2);
    expect(client.events[1]?.data).toEqual(progress);
    const reads = contexts.of(jobsRpc.getProgress).length;
    update({ eta_seconds: 1 });
    await passTimeUntil(() => contexts.of(jobsRpc.getProgress).length > reads);
    end();
    await waitFor(() => client.isClosed);
    expect(client.events).toHaveLength(3);
  });

  it('show a place in the queue that changes without a signal', async () => {
    const client = await open();
    await waitFor(() => client.events.length === 1);
    progress = { ...progress, queue_position: 1 };
    await passTimeUntil(() => client.events.length === 2);
    expect(client.events[1]?.data).toMatchObject({ queue_position: 1 });
    end();
    await waitFor(() => client.isClosed);
  });

  it('have ids that never repeat, also where a state comes again, and after a reconnect', async () => {
    const client = await open();
    for (const [count, queue_position] of [
      [2, 0],
      [3, 1],
      [4, 0],
    ] as const) {
      update({ queue_position });
      await passTimeUntil(() => client.events.length === count);
    }
    client.response.destroy();
    const again = await open({ 'Last-Event-ID': client.events.at(-1)?.id });
    await waitFor(() => again.events.length === 1);
    const ids = [...client.events, ...again.events].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    end();
    await waitFor(() => again.isClosed);
  });

  it('continue after a reconnect, also after the end, until the client has received the end', async () => {
    const first = await open();
    await waitFor(() => first.events.length === 1);
    first.response.destroy();
    end();
    const second = await open({ 'Last-Event-ID': first.events[0]?.id });
    await waitFor(() => second.isClosed);
    expect(second.types).toEqual(['job.progress', 'job.canceled']);
    const third = await testBed.client.send('GET', `/v1/jobs/${job.id}/events`, {
      headers: { 'Last-Event-ID': second.events.at(-1)?.id },
    });
    expect([third.status, third.bytes.length]).toEqual([204, 0]);
  });

  it('end with the job although a read fails first', async () => {
    const client = await open();
    await waitFor(() => client.events.length === 1);
    contexts.on(jobsRpc.get, fail('capacity', 'away'));
    end();
    await waitFor(() => contexts.of(jobsRpc.get).length > 0);
    contexts.on(jobsRpc.get, () => job);
    await passTimeUntil(() => client.isClosed);
    expect(client.types.at(-1)).toBe('job.canceled');
  });

  it('are refused with 429 beyond the limit of the key, until a stream is closed', async () => {
    const [first, second] = [await open(), await open()];
    const refused = await testBed.client.send('GET', `/v1/jobs/${job.id}/events`);
    expect([refused.status, refused.error.code]).toEqual([429, 'concurrency_limit']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    first.response.destroy();
    const third = await waitFor(async () => {
      const client = await open();
      return client.response.statusCode === 200 ? client : null;
    });
    end();
    await waitFor(() => second.isClosed && third.isClosed);
  });

  it('are refused with 503 beyond a fifth of the connections of the process', async () => {
    const gateway = await testBed.startGateway({ KINORA_CONNECTIONS_MAX: '5', KINORA_ADDRESS_CONNECTIONS_MAX: '5' });
    const client = await open({}, gateway);
    const refused = await gateway.client.send('GET', `/v1/jobs/${job.id}/events`);
    expect([refused.status, refused.error.code, refused.headers['retry-after']]).toEqual([503, 'capacity', '1']);
    end();
    await waitFor(() => client.isClosed);
  });

  it('end at once when the process stops, without an end event', async () => {
    const gateway = await testBed.startGateway({});
    const client = await open({}, gateway);
    await waitFor(() => client.events.length === 1);
    await gateway.close();
    await waitFor(() => client.isClosed);
    expect([client.types, client.response.complete]).toEqual([['job.progress'], true]);
  });
});
