import { Controller } from '@nestjs/common';
import { rpc } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { register } from '@kinora/metrics';
import { inTrace, startTracing } from '@kinora/tracing';
import {
  type TestBus,
  TestCollector,
  type TestService,
  connectTestBus,
  startTestService,
  waitFor,
} from '@kinora/testing';
import { Bus } from '../bus';
import { currentCall, deadlineIn, remainingMs, runInCall } from '../call-context';
import type { NatsConnection } from '../connection';
import { decode } from '../envelope';
import { Handles } from '../handles.decorator';

/** A batch without an answer blocks the next one for this time. */
const SLOT_RELEASE_MS = 25;
const NEVER_MS = 2 ** 30;

interface Work {
  name: string;
  /** Padding, to make a request large. */
  padding?: string;
}

const limits = { timeoutMs: 20_000, errors: ['insufficient_balance'] } as const;
const batched = { ...limits, batching: { maxItems: 4, maxConcurrent: 3 } };
const work = rpc<Work, unknown>('sets_spec.v1.work', batched);
const gated = rpc<Work, unknown>('sets_spec.v1.gated', {
  ...limits,
  batching: { maxItems: 2, maxConcurrent: 1, fairBy: ({ name }) => name.charAt(0) },
});
const knownToCallers = rpc<Work, unknown>('sets_spec_old.v1.work', batched);
const knownToServer = rpc<Work, unknown>('sets_spec_old.v1.work', limits);

const FAILURES: Record<string, () => Error> = {
  poor: () => new ApiError('insufficient_balance', 'Too little.'),
  unlisted: () => new ApiError('account_closed', 'Closed.'),
  bug: () => new TypeError('x is not a function'),
};

let openGate: () => void;
let gate: Promise<void>;
const begun: string[] = [];

@Controller()
class WorkController {
  @Handles(work)
  async work({ name }: Work): Promise<unknown> {
    if (name === 'slow') await gate;
    if (name === 'a bigint') return 1n;
    if (name === 'too much') return 'x'.repeat(9 * 1024 * 1024);
    if (name === 'trace') return { ...currentCall(), deadlineAtMs: undefined, left: remainingMs() };
    const failure = FAILURES[name];
    if (failure) throw failure();
    return name;
  }

  @Handles(gated)
  async gated({ name }: Work): Promise<unknown> {
    begun.push(name);
    await gate;
    return name;
  }

  @Handles(knownToServer)
  async old({ name }: Work): Promise<unknown> {
    return name;
  }
}

describe('requests that travel in batches', () => {
  let service: TestService;
  let client: TestBus;
  let observer: NatsConnection;
  /** Number of requests in each message, by subject. */
  const messages: [subject: string, requests: number][] = [];

  beforeAll(async () => {
    service = await startTestService({ name: 'sets_spec', controllers: [WorkController] });
    client = await connectTestBus();
    ({ connection: observer } = await connectTestBus());
    observer.subscribe('sets_spec.v1.>', {
      callback: (_, message) => {
        const content = decode(message.data);
        messages.push([message.subject, Array.isArray(content) ? content.length : 1]);
      },
    });
    await observer.flush();
  });

  beforeEach(async () => {
    // A test may end before the observer has received its messages. The broker routes a request to the observer before it
    // delivers the request to the service, so those of answered requests arrive before the answer to this flush.
    await observer.flush();
    gate = new Promise((resolve) => (openGate = resolve));
    messages.length = 0;
    begun.length = 0;
  });

  afterAll(async () => {
    await Promise.all([service.close(), client.close(), observer.close()]);
  });

  const ask = (name: string, padding = ''): Promise<unknown> => client.bus.request(work, { name, padding });
  const outcomeOf = (name: string): Promise<unknown> => ask(name).catch((error: ApiError) => error.code);
  const seen = async (requests: number): Promise<typeof messages> => {
    await waitFor(() => messages.reduce((sum, [, count]) => sum + count, 0) === requests);
    return messages;
  };

  it('leave at once when alone, and together when made together', async () => {
    expect(await ask('alone')).toBe('alone');
    expect(await Promise.all(['a', 'b', 'c'].map((name) => ask(name)))).toEqual(['a', 'b', 'c']);
    expect(await seen(4)).toEqual([
      ['sets_spec.v1.work.set', 1],
      ['sets_spec.v1.work.set', 3],
    ]);
  });

  it('are counted in Prometheus by subject and outcome, with the size of their batch', async () => {
    const bus = service.get(Bus);
    await Promise.allSettled(['poor', 'a', 'b'].map((name) => bus.request(work, { name })));
    const shown = await register.metrics();
    for (const metric of ['kinora_bus_handler_duration_seconds', 'kinora_bus_request_duration_seconds']) {
      expect(shown).toMatch(new RegExp(`^${metric}_count\\{subject="sets_spec.v1.work",outcome="ok"\\} [1-9]`, 'm'));
      expect(shown).toMatch(
        new RegExp(`^${metric}_count\\{subject="sets_spec.v1.work",outcome="refused"\\} [1-9]`, 'm'),
      );
    }
    expect(shown).toMatch(/^kinora_bus_requests_per_message_bucket\{subject="sets_spec.v1.work",le="4"\} [1-9]/m);
  });

  it('never leave in batches larger than the limit', async () => {
    await Promise.all(Array.from({ length: 9 }, (_, index) => ask(String(index))));
    expect((await seen(9)).map(([, count]) => count).sort()).toEqual([1, 4, 4]);
  });

  it('never leave in batches that a broker could refuse for their size', async () => {
    const large = 'x'.repeat(300 * 1024);
    expect(await Promise.all(['a', 'b', 'c'].map((name) => ask(name, large)))).toEqual(['a', 'b', 'c']);
    expect(await seen(3)).toHaveLength(3);
    expect(await ask('larger than any batch', large + large)).toBe('larger than any batch');
    expect((await seen(4)).at(-1)).toEqual(['sets_spec.v1.work', 1]);
  });

  it('are each answered or refused by themselves, whatever the outcome of the others', async () => {
    const names = ['a', 'poor', 'unlisted', 'bug', 'a bigint', 'too much', 'b'];
    expect(await Promise.all(names.map(outcomeOf))).toEqual([
      'a',
      'insufficient_balance',
      'internal_error',
      'internal_error',
      'internal_error',
      'internal_error',
      'b',
    ]);
    await expect(Promise.all([ask('a'), ask('poor')])).rejects.toEqual(FAILURES.poor?.());
  });

  it('do not wait for a slower request of the same batch', async () => {
    const slow = ask('slow');
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b']);
    openGate();
    expect(await slow).toBe('slow');
    expect(await seen(3)).toEqual([['sets_spec.v1.work.set', 3]]);
  });

  it('keep request id, account and deadline of their own call', async () => {
    const asTrace = (number: number): Promise<unknown> =>
      runInCall(
        { requestId: `req_${number}`, accountId: `acct_${number}`, deadlineAtMs: deadlineIn(number * 10_000) },
        () => ask('trace'),
      );
    const traces = (await Promise.all([1, 2].map(asTrace))) as { left: number }[];
    expect(traces).toMatchObject([
      { requestId: 'req_1', accountId: 'acct_1' },
      { requestId: 'req_2', accountId: 'acct_2' },
    ]);
    expect(traces[0]?.left).toBeLessThanOrEqual(10_000);
    expect(traces[1]?.left).toBeGreaterThan(10_000);
    expect(await seen(2)).toHaveLength(1);
  });

  it('end in capacity at their own deadline, however long the others take', async () => {
    const hurried = runInCall({ requestId: 'req_1', deadlineAtMs: deadlineIn(100) }, () => ask('slow'));
    const patient = ask('slow');
    await expect(hurried).rejects.toMatchObject({ code: 'capacity' });
    openGate();
    expect(await patient).toBe('slow');
  });

  it('collect while the maximum of batches is under way, and alternate between accounts', async () => {
    const requestGated = (name: string): Promise<unknown> => client.bus.request(gated, { name });
    const first = requestGated('a0');
    await waitFor(() => begun.length === 1);
    const others = ['a1', 'a2', 'a3', 'b1', 'c1'].map(requestGated);
    openGate();
    await Promise.all([first, ...others]);
    expect(begun).toEqual(['a0', 'a1', 'b1', 'c1', 'a2', 'a3']);
    expect((await seen(6)).map(([, count]) => count)).toEqual([1, 2, 2, 1]);
  });

  it('leave as soon as the requests before them are answered', async () => {
    openGate();
    const { setTimeout } = globalThis;
    // The timer after which a batch no longer blocks the next one never fires here. Only an answer can free the slot.
    const timers = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((work: () => void, delayMs?: number) =>
        setTimeout(work, delayMs === SLOT_RELEASE_MS ? NEVER_MS : delayMs),
      );
    try {
      for (let times = 0; times < 20; times++)
        expect(await client.bus.request(gated, { name: `a${times}` })).toBe(`a${times}`);
      expect(timers).toHaveBeenCalledWith(expect.anything(), SLOT_RELEASE_MS);
    } finally {
      timers.mockRestore();
    }
  });

  it('are not blocked for long by a slow batch before them', async () => {
    const slow = Array.from({ length: 3 * 4 }, () => ask('slow'));
    expect(await ask('a')).toBe('a');
    openGate();
    await Promise.all(slow);
  });

  it('reach a service without support for batches one by one', async () => {
    const names = ['a', 'b', 'c'];
    const askOld = (name: string): Promise<unknown> => client.bus.request(knownToCallers, { name });
    expect(await Promise.all(names.map(askOld))).toEqual(names);
    expect(await askOld('alone')).toBe('alone');
  });

  it('end in capacity at once if the subject has no subscribers', async () => {
    const unserved = rpc<object, string>('sets_spec_nobody.v1.work', batched);
    const outcomes = await Promise.allSettled([client.bus.request(unserved, {}), client.bus.request(unserved, {})]);
    expect(outcomes).toMatchObject([{ reason: { code: 'capacity' } }, { reason: { code: 'capacity' } }]);
  });

  it('have a span each on both sides, in the trace of their own call', async () => {
    const collector = await TestCollector.start();
    const options = { service: 'sets_spec', ratio: 1, exportEveryMs: 10, headers: '' };
    const stop = await startTracing({ ...options, endpoint: collector.endpoint, onStateChange: () => undefined });
    const traceIds = ['1', '2'].map((digit) => digit.repeat(32));
    await Promise.all(
      traceIds.map((id) => inTrace(`00-${id}-b7ad6b7169203331-01`, 'call', { kind: 'server' }, () => ask('a'))),
    );
    await stop();
    expect(await seen(2)).toHaveLength(1);
    const spans = collector.spans.filter(({ name }) => name === work.subject);
    for (const id of traceIds) {
      const client = spans.find(({ traceId, kind }) => traceId === id && kind === 'client');
      const server = spans.find(({ traceId, kind }) => traceId === id && kind === 'server');
      expect(server?.parentSpanId).toBe(client?.spanId);
    }
    expect(spans).toHaveLength(4);
    await collector.close();
  });

  it('are refused if malformed, without effect on other requests of the batch or on the service', async () => {
    const send = async (content: string): Promise<string> =>
      (await observer.request('sets_spec.v1.work.set', content, { timeout: limits.timeoutMs })).string();
    const fine = '{"request":{"name":"a"},"timeout_ms":20000}';
    expect(await send(`[${fine},{"nonsense":true},7]`)).toContain('"internal_error"');
    expect(await send('not json')).toContain('"internal_error"');
    expect(await send(`[${fine}]`)).toBe('[[0,{"ok":"a"}]]');
    expect(service.log.of('bus_request_malformed').length).toBeGreaterThanOrEqual(3);
  });
});
