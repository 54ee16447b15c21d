import { BadRequestException, Controller } from '@nestjs/common';
import { rpc } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type TestBus, type TestService, connectTestBus, startTestService, waitFor } from '@kinora/testing';
import { Bus } from './bus';
import { currentCall, deadlineIn, remainingMs, runInCall } from './call-context';
import { Handles } from './handles.decorator';

interface Trace {
  request_id: string | undefined;
  account_id: string | undefined;
  remaining_ms: number;
}

const limits = { timeoutMs: 20_000, errors: ['insufficient_balance', 'rate_limited'] } as const;
const billing = {
  reserve: rpc<{ failure: string }, string>('bus_spec_billing.v1.reserve', limits),
  trace: rpc<object, Trace>('bus_spec_billing.v1.trace', limits),
  echo: rpc<{ value: unknown }, { value: unknown }>('bus_spec_billing.v1.echo', limits),
  forget: rpc<object, void>('bus_spec_billing.v1.forget', limits),
};
const jobs = {
  create: rpc<{ failure: string }, string>('bus_spec_jobs.v1.create', limits),
  trace: rpc<object, Trace[]>('bus_spec_jobs.v1.trace', limits),
};

/** Time that the middle hop uses before it sends its own request. */
const SPENT_MS = 20;

const FAILURES: Record<string, () => Error> = {
  listed: () => new ApiError('rate_limited', 'Slow down.', { param: 'loras[1].url', retry_after_seconds: 7 }),
  unlisted: () => new ApiError('account_closed', 'This account is closed.'),
  foreign: () => new BadRequestException('a pipe said so'),
  bug: () => new TypeError('x is not a function'),
};

@Controller()
class BillingController {
  @Handles(billing.reserve)
  async reserve({ failure }: { failure: string }): Promise<string> {
    throw FAILURES[failure]?.() ?? new Error('no such failure');
  }

  @Handles(billing.trace)
  async trace(_request: object): Promise<Trace> {
    return traceOfThisCall();
  }

  @Handles(billing.echo)
  async echo(request: { value: unknown }): Promise<{ value: unknown }> {
    if (request.value === 'a bigint') return { value: 1n };
    if (request.value === 'a date') return { value: new Date(0) };
    if (request.value === 'too much') return { value: 'x'.repeat(9 * 1024 * 1024) };
    return request;
  }

  @Handles(billing.forget)
  async forget(_request: object): Promise<void> {}
}

@Controller()
class JobsController {
  constructor(private readonly bus: Bus) {}

  @Handles(jobs.create)
  async create(request: { failure: string }): Promise<string> {
    return this.bus.request(billing.reserve, request);
  }

  @Handles(jobs.trace)
  async trace(_request: object): Promise<Trace[]> {
    const trace = traceOfThisCall();
    await waitFor(() => traceOfThisCall().remaining_ms < trace.remaining_ms - SPENT_MS);
    return [trace, await this.bus.request(billing.trace, {})];
  }
}

function traceOfThisCall(): Trace {
  const call = currentCall();
  return { request_id: call?.requestId, account_id: call?.accountId, remaining_ms: remainingMs() ?? Infinity };
}

describe('bus request', () => {
  let billingService: TestService;
  let jobsService: TestService;
  let client: TestBus;

  beforeAll(async () => {
    billingService = await startTestService({ name: 'bus_spec_billing', controllers: [BillingController] });
    jobsService = await startTestService({ name: 'bus_spec_jobs', controllers: [JobsController] });
    client = await connectTestBus();
  });

  afterAll(async () => {
    await Promise.all([billingService.close(), jobsService.close(), client.close()]);
  });

  const failureOf = (failure: string): Promise<ApiError> =>
    runInCall({ requestId: `req_${failure}`, deadlineAtMs: deadlineIn(20_000) }, () =>
      client.bus.request(jobs.create, { failure }).then(
        () => Promise.reject(new Error('it succeeded')),
        (error: ApiError) => error,
      ),
    );

  it('throws the ApiError that was thrown two hops away', async () => {
    const error = await failureOf('listed');
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toEqual(FAILURES.listed?.());
    expect(error).toMatchObject({ code: 'rate_limited', param: 'loras[1].url', retryAfterSeconds: 7, status: 429 });
  });

  it.each([
    ['an error that the contract does not list', 'unlisted', 'This account is closed.'],
    ['an exception of Nest', 'foreign', 'a pipe said so'],
    ['a bug', 'bug', 'x is not a function'],
  ])('answers internal_error for %s, and the failing service logs the reason', async (_, failure, received) => {
    const error = await failureOf(failure);
    expect(error).toMatchObject({ code: 'internal_error', status: 500, message: 'An unexpected error occurred.' });
    const line = billingService.log.of('bus_handler_failed').at(-1);
    expect(line).toMatchObject({ subject: 'bus_spec_billing.v1.reserve', request_id: `req_${failure}` });
    expect(line?.stack).toContain(received);
    expect(line?.stack).toContain('BillingController.reserve');
  });

  it('passes request id, account and the rest of the deadline to every hop', async () => {
    const call = { requestId: 'req_1', accountId: 'acct_1', deadlineAtMs: deadlineIn(20_000) };
    const [outer, inner] = await runInCall(call, () => client.bus.request(jobs.trace, {}));
    expect([outer, inner]).toEqual([
      expect.objectContaining({ request_id: 'req_1', account_id: 'acct_1' }),
      expect.objectContaining({ request_id: 'req_1', account_id: 'acct_1' }),
    ]);
    expect(outer?.remaining_ms).toBeLessThanOrEqual(20_000);
    expect(inner?.remaining_ms).toBeLessThan((outer?.remaining_ms ?? 0) - SPENT_MS + 1);
  });

  it('carries any JSON value, and null for an answer without a value', async () => {
    const echo = async (value: unknown): Promise<unknown> => (await client.bus.request(billing.echo, { value })).value;
    expect(await echo({ æ: ['🎬', null, 1e15] })).toEqual({ æ: ['🎬', null, 1e15] });
    expect(await echo('a date')).toBe('1970-01-01T00:00:00.000Z');
    expect(await client.bus.request(billing.forget, {})).toBeNull();
  });

  it('refuses to send a value that is no JSON', async () => {
    await expect(client.bus.request(billing.echo, { value: 1n })).rejects.toThrow(TypeError);
  });

  it.each([
    ['a bigint', 'bus_reply_failed'],
    ['too much', 'bus_reply_too_large'],
  ])('answers internal_error if the answer cannot be sent: %s', async (value, event) => {
    await expect(client.bus.request(billing.echo, { value })).rejects.toMatchObject({ code: 'internal_error' });
    expect(billingService.log.of(event).at(-1)).toMatchObject({ subject: 'bus_spec_billing.v1.echo' });
  });

  it('fails at the sender if it is larger than the broker allows', async () => {
    const value = 'x'.repeat(9 * 1024 * 1024);
    await expect(client.bus.request(billing.echo, { value })).rejects.toMatchObject({ code: 'internal_error' });
    expect(client.log.of('bus_request_too_large')).toEqual([expect.objectContaining({ bytes: value.length + 12 })]);
  });
});
