import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { type JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { useGateway } from '../../test/gateway.fixtures';
import { JOB } from '../../test/contexts.fixtures';
import { StreamClient } from '../../test/stream-client.fixtures';
import { KeyWatchTestBed } from '../../test/key-watch.fixtures';

const STREAMS = [
  ['a job', `/v1/jobs/${JOB.id}/events`],
  ['the account', '/v1/events'],
] as const;

const testBed = useGateway({}, new KeyWatchTestBed());
const { contexts } = testBed;

beforeEach(() => {
  contexts.on(jobsRpc.getProgress, () => ({ job_id: JOB.id, status: 'processing', progress: null }) as JobProgress);
  contexts.on(jobsRpc.listEvents, () => ({ events: [], has_more: false, next_cursor: null }));
});

async function open(path: string): Promise<StreamClient> {
  const stream = await StreamClient.open(testBed.gateway.port, path, { Accept: 'text/event-stream' });
  expect(stream.response.statusCode).toBe(200);
  return stream;
}

describe.each(STREAMS)('an open stream of events of %s', (_name, path) => {
  it('ends, complete, when its key is revoked', async () => {
    const streams = [await open(path), await open(path)];
    testBed.revoke();
    testBed.signal();
    await waitFor(() => streams.every(({ isClosed }) => isClosed));
    expect(streams.map(({ response }) => response.complete)).toEqual([true, true]);
    expect((await testBed.client.send('GET', path)).status).toBe(401);
  });

  it('stays open while the key is valid, or cannot be checked', async () => {
    const stream = await open(path);
    testBed.signal();
    await waitFor(() => testBed.checks === 1);
    testBed.failChecks();
    testBed.signal();
    await waitFor(() => testBed.checks === 2);
    expect(stream.isClosed).toBe(false);
    testBed.revoke();
    testBed.signal();
    await waitFor(() => stream.isClosed);
    expect(stream.response.complete).toBe(true);
  });

  it('is not checked for another account', async () => {
    const stream = await open(path);
    testBed.signal(crypto.randomUUID());
    await testBed.bus.pingBroker();
    testBed.revoke();
    testBed.signal();
    await waitFor(() => stream.isClosed);
    expect(testBed.checks).toBe(1);
  });
});

describe('the check of the keys of open streams', () => {
  it('finds a key that has expired, once for all of its streams', async () => {
    const streams = await Promise.all([1, 2, 3].map(() => open('/v1/events')));
    testBed.revoke();
    testBed.checkAll();
    await waitFor(() => streams.every(({ isClosed }) => isClosed));
    expect(testBed.checks).toBe(1);
  });

  it('is made four times a second at most, however many signals arrive', async () => {
    const stream = await open('/v1/events');
    const startedAt = performance.now();
    for (let number = 0; number < 40; number += 1) {
      testBed.signal();
      await testBed.bus.pingBroker();
    }
    await waitFor(() => testBed.checks > 0);
    expect(testBed.checks).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 250);
    testBed.revoke();
    testBed.signal();
    await waitFor(() => stream.isClosed);
  });

  it('reads a key again that changes while it is read', async () => {
    const stream = await open('/v1/events');
    let answer: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (answer = resolve));
    contexts.on(billingRpc.findInvalidKeys, async () => {
      await gate;
      return { key_sha256s: [] };
    });
    testBed.signal();
    await waitFor(() => testBed.checks === 1);
    testBed.revoke();
    testBed.signal();
    await testBed.bus.pingBroker();
    answer();
    await waitFor(() => stream.isClosed);
    expect(testBed.checks).toBe(2);
  });
});
