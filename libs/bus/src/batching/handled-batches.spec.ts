import { Controller } from '@nestjs/common';
import { rpc } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { startTracing } from '@kinora/tracing';
import {
  TestCollector,
  type TestBus,
  type TestService,
  connectTestBus,
  startTestService,
  waitFor,
} from '@kinora/testing';
import { type Caller, currentCall, deadlineIn } from '../call-context';
import { Handles, HandlesBatches } from '../handles.decorator';
import type { Answered } from './batch-request';
import type { IncomingCall } from './incoming-call';

interface Work {
  name: string;
  /** Padding, to make a request large. */
  padding?: string;
}

const limits = { timeoutMs: 20_000, errors: ['insufficient_balance', 'capacity'] } as const;
const batching = { maxItems: 32, maxConcurrent: 2 };
const work = rpc<Work, unknown>('handled_spec.v1.work', { ...limits, batching });
const singleToServer = rpc<Work, unknown>('handled_spec_old.v1.work', limits);
const singleToCaller = rpc<Work, unknown>('handled_spec_old.v1.work', { ...limits, batching });

/** The names of each batch that was handled. */
const handled: string[][] = [];
let openGate: () => void;
let gate: Promise<void>;

@Controller()
class WorkController {
  @HandlesBatches(work)
  async work(calls: IncomingCall<Work, unknown>[]): Promise<void> {
    handled.push(calls.map(({ request }) => request.name));
    if (calls.some(({ request }) => request.name === 'bug')) throw new TypeError('x is not a function');
    for (const call of calls) this.workOn(call);
    if (calls.some(({ request }) => request.name === 'late')) await gate;
  }

  @Handles(singleToServer)
  async single({ name }: Work): Promise<unknown> {
    return name;
  }

  private workOn({ request: { name }, caller, run, answer, fail }: IncomingCall<Work, unknown>): void {
    if (name === 'poor') fail(new ApiError('insufficient_balance', 'Too little.'));
    else if (name === 'slow') answer(gate.then(() => name));
    else if (name === 'slow bug') answer(gate.then(() => Promise.reject(new Error('secret'))));
    else if (name === 'context')
      answer(run(() => ({ current: currentCall()?.requestId, call: caller.call?.requestId })));
    else if (name !== 'left' && name !== 'late') answer(name);
  }
}

describe('a batch that is handled as one', () => {
  let service: TestService;
  let client: TestBus;

  beforeAll(async () => {
    service = await startTestService({ name: 'handled_spec', controllers: [WorkController] });
    client = await connectTestBus();
  });
  beforeEach(() => {
    gate = new Promise((resolve) => (openGate = resolve));
    handled.length = 0;
  });
  afterAll(async () => {
    await Promise.all([service.close(), client.close()]);
  });

  const callerOf = (requestId: string, timeoutMs = 10_000, traceparent?: string): Caller => ({
    call: { requestId, deadlineAtMs: deadlineIn(timeoutMs) },
    traceparent,
  });
  type Item = Work & { caller: Caller };
  const item = (name: string, caller = callerOf('req_1')): Item => ({ name, caller });
  const show = ({ item: { name }, outcome }: Answered<Item, unknown>): unknown =>
    outcome.status === 'fulfilled' ? outcome.value : `${name}: ${(outcome.reason as ApiError).code}`;

  /** The answers in the groups in which they arrived. */
  async function request(items: Item[], contract = work): Promise<unknown[][]> {
    const groups: unknown[][] = [];
    await client.bus.requestBatch(contract, items, {
      toRequest: ({ name, padding }) => ({ name, ...(padding === undefined ? {} : { padding }) }),
      onAnswers: async (answered) => void groups.push(answered.map(show)),
    });
    return groups;
  }

  it('reaches its handler in one call, and a single request as a batch of one', async () => {
    expect(await request(['a', 'b', 'c'].map((name) => item(name)))).toEqual([['a', 'b', 'c']]);
    expect(await client.bus.request(work, { name: 'alone' })).toBe('alone');
    expect(handled).toEqual([['a', 'b', 'c'], ['alone']]);
  });

  it('is empty without a message', async () => {
    expect(await request([])).toEqual([]);
    expect(handled).toEqual([]);
  });

  it('isolates a call that fails, whatever its error', async () => {
    openGate();
    expect((await request(['a', 'poor', 'slow bug', 'b'].map((name) => item(name)))).flat().sort()).toEqual([
      'a',
      'b',
      'poor: insufficient_balance',
      'slow bug: internal_error',
    ]);
  });

  it('does not keep its calls waiting for a slow one', async () => {
    const groups: unknown[][] = [];
    const all = client.bus.requestBatch(work, [item('slow'), item('a'), item('b')], {
      toRequest: ({ name }) => ({ name }),
      onAnswers: async (answered) => void groups.push(answered.map(show)),
    });
    await waitFor(() => groups.length === 1);
    expect(groups).toEqual([['a', 'b']]);
    openGate();
    await all;
    expect(groups).toEqual([['a', 'b'], ['slow']]);
  });

  it('ends each call at its own deadline', async () => {
    const hurried = item('slow', callerOf('req_1', 50));
    const patient = item('slow', callerOf('req_2'));
    const answered = request([hurried, patient, item('a')]);
    await waitFor(() => client.log.of('bus_request_unanswered').length > 0);
    openGate();
    const groups = await answered;
    // On a busy machine the deadline may pass before the first answer arrives.
    expect(groups.slice(0, -1).flat().sort()).toEqual(['a', 'slow: capacity']);
    expect(groups.at(-1)).toEqual(['slow']);
  });

  it('gives each call its own context', async () => {
    const calls = ['req_1', 'req_2'].map((requestId) => item('context', callerOf(requestId)));
    expect(await request(calls)).toEqual([
      [
        { current: 'req_1', call: 'req_1' },
        { current: 'req_2', call: 'req_2' },
      ],
    ]);
  });

  it('fails the calls that its handler leaves without an answer, or all if the handler throws', async () => {
    expect((await request([item('left'), item('a')])).flat().sort()).toEqual(['a', 'left: internal_error']);
    expect((await request([item('a'), item('bug')])).flat()).toEqual(['a: internal_error', 'bug: internal_error']);
  });

  it('travels in several messages if it is too large for one', async () => {
    const padding = 'x'.repeat(300 * 1024);
    expect(
      (
        await request([
          { ...item('a'), padding },
          { ...item('b'), padding },
        ])
      ).flat(),
    ).toEqual(['a', 'b']);
    expect(handled).toEqual([['a'], ['b']]);
  });

  it('reaches a service without support for batches one by one', async () => {
    expect((await request([item('a'), item('b')], singleToCaller)).flat().sort()).toEqual(['a', 'b']);
  });

  it('ends in capacity without subscribers', async () => {
    const unserved = rpc<Work, unknown>('handled_spec_nobody.v1.work', { ...limits, batching });
    expect((await request([item('a'), item('b')], unserved)).flat()).toEqual(['a: capacity', 'b: capacity']);
  });

  it('rejects as the work on its answers does', async () => {
    const options = { toRequest: ({ name }: Item) => ({ name }), onAnswers: () => Promise.reject(new Error('bug')) };
    await expect(client.bus.requestBatch(work, [item('a')], options)).rejects.toThrow('bug');
  });

  it('has a span for each call on both sides, in the trace of the call', async () => {
    const collector = await TestCollector.start();
    const options = { service: 'handled_spec', ratio: 1, exportEveryMs: 10, headers: '' };
    const stop = await startTracing({ ...options, endpoint: collector.endpoint, onStateChange: () => undefined });
    const traceIds = ['1', '2'].map((digit) => digit.repeat(32));
    await request(traceIds.map((id) => item('a', callerOf('req_1', 10_000, `00-${id}-b7ad6b7169203331-01`))));
    await stop();
    const spans = collector.spans.filter(({ name }) => name === work.subject);
    for (const id of traceIds) {
      const client = spans.find(({ traceId, kind }) => traceId === id && kind === 'client');
      const server = spans.find(({ traceId, kind }) => traceId === id && kind === 'server');
      expect(client?.parentSpanId).toBe('b7ad6b7169203331');
      expect(server?.parentSpanId).toBe(client?.spanId);
    }
    expect(spans).toHaveLength(4);
    await collector.close();
  });

  it('is finished before the service closes', async () => {
    const other = await startTestService({ name: 'handled_spec_2', controllers: [WorkController] });
    await service.close();
    const answered = request([item('late'), item('slow')]);
    await waitFor(() => handled.length === 1);
    const closed = other.close();
    openGate();
    expect((await answered).flat().sort()).toEqual(['late: internal_error', 'slow']);
    await closed;
  });
});
