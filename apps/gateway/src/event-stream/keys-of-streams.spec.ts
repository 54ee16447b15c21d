import { type IncomingMessage, get } from 'node:http';
import { billingSignals } from '@kinora/contracts/billing/billing.events';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { type JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type TestBus, connectTestBus, waitFor } from '@kinora/testing';
import { ADMISSION, API_KEY, JOB, fail } from '../fixtures/contexts.fixtures';
import { GatewayTestBed } from '../fixtures/gateway.fixtures';

const CHECK_EVERY_MS = 15_000;
const REAL_TIMERS = ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'];
const STREAMS = [
  ['a job', `/v1/jobs/${JOB.id}/events`],
  ['the account', '/v1/events'],
] as const;

const testBed = new GatewayTestBed();
const { contexts } = testBed;
let bus: TestBus;

beforeAll(async () => {
  // Only intervals are faked, so that no check comes but those of a test: everything else of the gateway runs as usual.
  jest.useFakeTimers({ doNotFake: REAL_TIMERS as never });
  await testBed.start();
  bus = await connectTestBus(testBed.natsUrl);
});
afterAll(async () => {
  await bus.close();
  await testBed.close();
  jest.useRealTimers();
});
beforeEach(() => {
  contexts.reset();
  contexts.on(jobsRpc.getProgress, () => ({ job_id: JOB.id, status: 'processing', progress: null }) as JobProgress);
  contexts.on(jobsRpc.listEvents, () => ({ events: [], has_more: false, next_cursor: null }));
});

interface OpenStream {
  response: IncomingMessage;
  isClosed: () => boolean;
}

async function open(path: string): Promise<OpenStream> {
  const headers = { Authorization: `Bearer ${API_KEY}`, Accept: 'text/event-stream' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port: testBed.gateway.port, path, headers, agent: false }, resolve).once('error', reject);
  });
  expect(response.statusCode).toBe(200);
  let isClosed = false;
  response.resume().once('close', () => (isClosed = true));
  return { response, isClosed: () => isClosed };
}

const revoke = (): void => contexts.on(billingRpc.admit, fail('invalid_api_key', 'Revoked.'));
const signal = (accountId: string = ADMISSION.account_id): void =>
  bus.bus.signal(billingSignals.leasesRecalled, { account_id: accountId });
const checks = (): number => contexts.of(billingRpc.admit).filter(({ tokens }) => tokens === 0).length;

describe.each(STREAMS)('an open stream of events of %s', (_name, path) => {
  it('ends, complete, when its key is revoked', async () => {
    const streams = [await open(path), await open(path)];
    revoke();
    signal();
    await waitFor(() => streams.every(({ isClosed }) => isClosed()));
    expect(streams.map(({ response }) => response.complete)).toEqual([true, true]);
    expect((await testBed.client.send('GET', path)).status).toBe(401);
  });

  it('stays open while the key is valid, or cannot be checked', async () => {
    const { response, isClosed } = await open(path);
    signal();
    await waitFor(() => checks() === 1);
    contexts.on(billingRpc.admit, fail('capacity', 'away'));
    signal();
    await waitFor(() => checks() === 2);
    expect(isClosed()).toBe(false);
    revoke();
    signal();
    await waitFor(isClosed);
    expect(response.complete).toBe(true);
  });

  it('is not checked for another account', async () => {
    const { isClosed } = await open(path);
    signal(crypto.randomUUID());
    await bus.bus.pingBroker();
    revoke();
    signal();
    await waitFor(isClosed);
    expect(checks()).toBe(1);
  });
});

describe('the check of the keys of open streams', () => {
  it('finds a key that has expired, once for all of its streams', async () => {
    const streams = await Promise.all([1, 2, 3].map(() => open('/v1/events')));
    revoke();
    jest.advanceTimersByTime(CHECK_EVERY_MS);
    await waitFor(() => streams.every(({ isClosed }) => isClosed()));
    expect(checks()).toBe(1);
  });

  it('is made four times a second at most, however many signals arrive', async () => {
    const stream = await open('/v1/events');
    const startedAt = performance.now();
    for (let number = 0; number < 40; number += 1) {
      signal();
      await bus.bus.pingBroker();
    }
    await waitFor(() => checks() > 0);
    expect(checks()).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 250);
    revoke();
    signal();
    await waitFor(stream.isClosed);
  });

  it('reads a key again that changes while it is read', async () => {
    const stream = await open('/v1/events');
    let answer: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (answer = resolve));
    contexts.on(billingRpc.admit, async () => {
      await gate;
      return ADMISSION;
    });
    signal();
    await waitFor(() => checks() === 1);
    revoke();
    signal();
    await bus.bus.pingBroker();
    answer();
    await waitFor(stream.isClosed);
    expect(checks()).toBe(2);
  });
});
