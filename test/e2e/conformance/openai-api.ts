import fc from 'fast-check';
import { waitFor } from '@kinora/testing';
import type { Answer } from '../../support/api-client';
import { openAccount, openKey } from '../../support/operator';
import { LEGAL_GENERATION, SECTION_TIMEOUT_MS, anyHeaders, bodyOf, check } from './fuzz';
import { type ExpectedError, expectHeaders } from './resources';
import { aText } from './shapes';
import { DELAY, type TestBed } from './test-bed';

const GENERATIONS = '/images/generations';
const LEGAL_OPENAI_GENERATION = {
  ...LEGAL_GENERATION,
  response_format: 'url',
  stream: false,
  quality: 'low',
  user: 'u',
};

interface OpenAiErrorBody {
  error: { message: string; type: string; param: string | null; code: string };
}

/** An error in the form of OpenAI, with no fields besides those of. */
export function expectOpenAiError(answer: Answer<unknown>, { status, code, param }: ExpectedError): void {
  const error = { message: aText, type: aText, param: param ?? null, code };
  expect([answer.status, answer.body]).toEqual([status, { error }]);
  expectHeaders(answer.headers);
}

/** A client of the OpenAI-compatible API, which the published reference of /v1 does not describe. */
class OpenAiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<unknown>> {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: sent as string }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as unknown };
  }

  generate(body: unknown): Promise<Answer<unknown>> {
    return this.send('POST', GENERATIONS, body);
  }
}

/** What the specs of the gateway do not show of `/openai/v1` beside /v1. */
export function describeOpenAiApi(testBed: TestBed): void {
  const at = clientsOf(testBed);

  describe('the OpenAI-compatible API', () => {
    it(
      'answers as declared to any body',
      () =>
        check(bodyOf(LEGAL_OPENAI_GENERATION), async (body) => {
          const answer = await at(testBed.apiKey).generate(JSON.stringify(body) ?? 'undefined');
          expectDeclared(answer);
          const jobId = answer.headers.get('x-kinora-job-id');
          if (jobId !== null) await testBed.client.post(`/jobs/${jobId}/cancel`);
        }),
      2 * SECTION_TIMEOUT_MS,
    );

    it(
      'answers as declared to any headers, and to bytes that are not JSON',
      () =>
        check(fc.tuple(anyHeaders, fc.uint8Array({ maxLength: 200 })), async ([headers, bytes]) => {
          expectDeclared(await at(testBed.apiKey).send('POST', GENERATIONS, bytes, headers));
        }),
      SECTION_TIMEOUT_MS,
    );

    it('an empty bucket, jobs in flight and an empty wallet refuse as at /v1', async () => {
      const few = await openAccount(testBed.stack, { rate_limit_rpm: 1 });
      await few.client.get('/models');
      const refused = await at(few.apiKey).generate('{');
      expectOpenAiError(refused, { status: 429, code: 'rate_limit_exceeded' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);

      const busy = await openAccount(testBed.stack, { max_concurrent_jobs: 1 });
      const { id } = await busy.client.generate({ prompt: DELAY });
      expectOpenAiError(await at(busy.apiKey).generate({ prompt: DELAY }), { status: 429, code: 'concurrency_limit' });
      await busy.client.post(`/jobs/${id}/cancel`);

      const poor = await openAccount(testBed.stack, { balance_micros: 1 });
      const unpaid = { status: 402, code: 'insufficient_balance' };
      expectOpenAiError(await at(poor.apiKey).generate({ prompt: DELAY }), unpaid);
      expect(await poor.client.balanceMicros()).toBe(1);
    });

    it('a blocked prompt is refused, and blocked images count as strikes that suspend the account', async () => {
      const { apiKey, accountId, client } = await openAccount(testBed.stack);
      const blocked = { status: 400, code: 'moderation_blocked' };
      const prompt = await at(apiKey).generate({ prompt: 'a KINORA-MODERATION-TEST-BLOCK boat' });
      expectOpenAiError(prompt, { ...blocked, param: 'prompt' });
      const refused = await waitFor(
        async () => {
          const answer = await at(apiKey).generate({ prompt: '[[output:blocked]] a boat', model: 'fast-image' });
          if (answer.status === 400) expectOpenAiError(answer, blocked);
          // On a busy machine, a job takes longer than the gateways of this suite wait for it.
          else if (answer.status === 504) expectOpenAiError(answer, { status: 504, code: 'job_in_flight' });
          else return answer;
          return null;
        },
        { timeoutMs: 120_000 },
      );
      expectOpenAiError(refused, { status: 403, code: 'account_suspended' });
      await testBed.setStatus(accountId, 'active');
      await waitFor(async () => (await client.balanceMicros()) === 10_000_000);
    }, 240_000);

    describeKeys(testBed);
  });
}

function describeKeys(testBed: TestBed): void {
  const at = clientsOf(testBed);

  it('a key with a budget creates until it is spent', async () => {
    const { accountId } = await openAccount(testBed.stack);
    const budget = { account_id: accountId, name: 'capped', cap_micros: 5_000, cap_period: 'month' as const };
    const { apiKey } = await openKey(testBed.stack, budget);
    const create = (prompt: string): Promise<Answer<unknown>> => at(apiKey).generate({ prompt, model: 'fast-image' });
    expect((await create('a hill')).status).not.toBe(402);
    // Another prompt: if the first job takes longer than the gateway waits, an equal request joins it.
    expectOpenAiError(await create('a dale'), { status: 402, code: 'key_budget_exceeded' });
  });

  it('a revoked key is refused, also when it sends a body again whose answer it never got', async () => {
    const { accountId } = await openAccount(testBed.stack);
    const { apiKey, revoke } = await openKey(testBed.stack, { account_id: accountId, name: 'revoked' });
    const late = await at(apiKey).generate({ prompt: DELAY });
    expectOpenAiError(late, { status: 504, code: 'job_in_flight' });
    await revoke();
    const again = { prompt: DELAY };
    await waitFor(async () => (await at(apiKey).generate(again)).status === 401);
    expectOpenAiError(await at(apiKey).generate(again), { status: 401, code: 'invalid_api_key' });
  });
}

function clientsOf(testBed: TestBed): (apiKey: string) => OpenAiClient {
  return (apiKey) => new OpenAiClient(new URL('/openai/v1', testBed.client.baseUrl).href, apiKey);
}

/** Every response is in the form of OpenAI, none is a 500, and none shows internals. */
function expectDeclared({ status, body, headers }: Answer<unknown>): void {
  expectHeaders(headers);
  if (status >= 400) {
    const { error } = body as OpenAiErrorBody;
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
    expect([error.message, error.type]).toEqual([aText, aText]);
    // A valid body has a job that no test waits for.
    if (status >= 500) expect([status, error.code]).toEqual([504, 'job_in_flight']);
  }
  expect(JSON.stringify(body)).not.toMatch(/\bat \S+ \(|node_modules|\.js:\d|\.ts:\d|select .* from /i);
}
