import { billingSignals } from '@kinora/contracts/billing/billing.events';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { type TestBus, connectTestBus, waitFor } from '@kinora/testing';
import { ADMISSION, JOB, fail } from '../fixtures/contexts.fixtures';
import { GatewayTestBed } from '../fixtures/gateway.fixtures';
import type { TestResponse } from '../fixtures/http-client.fixtures';

const CHECK_EVERY_MS = 15_000;
const REAL_TIMERS = ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'];
const PREFER = { Prefer: 'wait=60' };

interface Refusal {
  error: { code: string; request_id: string };
}

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
  contexts.on(jobsRpc.get, () => JOB);
  contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
});

const read = (): Promise<TestResponse> => testBed.client.send('GET', `/v1/jobs/${JOB.id}`, { headers: PREFER });
const create = (): Promise<TestResponse> =>
  testBed.client.send('POST', '/v1/images/generations', { json: { prompt: 'a fox' }, headers: PREFER });
const waiting = (): number => testBed.gateway.waitingRequests();
const revoke = (): void => contexts.on(billingRpc.admit, fail('invalid_api_key', 'Revoked.'));
const signal = (): void => bus.bus.signal(billingSignals.leasesRecalled, { account_id: ADMISSION.account_id });

describe('a request that waits', () => {
  it('is refused like every other one, without another read, when its key is revoked', async () => {
    const answers = [read(), read()];
    await waitFor(() => waiting() === 2);
    const readsBefore = contexts.of(jobsRpc.get).length;
    revoke();
    signal();
    const ended = await Promise.all(answers);
    expect([waiting(), contexts.of(jobsRpc.get).length - readsBefore]).toEqual([0, 0]);
    const { error } = (await read()).json<Refusal>();
    for (const { status, json } of ended)
      expect([status, json<Refusal>()]).toEqual([401, { error: { ...error, request_id: expect.any(String) } }]);
  });

  it('is refused when its key has expired, or the signal was lost', async () => {
    const answer = read();
    await waitFor(() => waiting() === 1);
    revoke();
    jest.advanceTimersByTime(CHECK_EVERY_MS);
    expect((await answer).status).toBe(401);
  });

  it('is answered at once with the job as created when it has created one', async () => {
    const answer = create();
    await waitFor(() => waiting() === 1);
    revoke();
    signal();
    const { status, headers, json } = await answer;
    expect([status, headers['preference-applied'], json<Job>()]).toEqual([202, undefined, JOB]);
  });

  it('goes on while its key is valid, or cannot be checked', async () => {
    const answer = read();
    await waitFor(() => waiting() === 1);
    contexts.on(billingRpc.admit, fail('capacity', 'away'));
    const checksBefore = contexts.of(billingRpc.admit).length;
    signal();
    await waitFor(() => contexts.of(billingRpc.admit).length > checksBefore);
    await bus.bus.pingBroker();
    expect(waiting()).toBe(1);
    revoke();
    signal();
    expect((await answer).status).toBe(401);
  });
});
