import { createHash } from 'node:crypto';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { ADMISSION, API_KEY, UNKNOWN_KEY, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { errorIn, expectError, SERVED_APIS, type TestClient, type TestResponse } from '../../test/http-client.fixtures';

const testBed = useGateway();
const { client, contexts } = testBed;

function expectRateHeaders({ headers }: TestResponse): void {
  expect(headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
  expect(headers['ratelimit-limit']).toMatch(/^\d+$/);
  expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
}

describe.each(SERVED_APIS)('every response under $path', (api) => {
  it.each([
    ['200', 200, () => client.send('GET', `${api.path}/models`)],
    ['400', 400, () => client.send('GET', `${api.path}${api.path === '/v1' ? '/jobs' : '/models'}?x=1`)],
    ['401', 401, () => client.sendBare('GET', `${api.path}/models`)],
    ['404 of a path', 404, () => client.sendBare('GET', `${api.path}/nothing`)],
    ['404 of a method', 404, () => client.send('DELETE', `${api.path}/models`)],
    ['500', 500, () => client.send('POST', `${api.path}/images/generations`, { json: { prompt: 'a fox' } })],
  ] as const)('has a request id and the rate limit: %s', async (_name, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expectRateHeaders(response);
    if (status === 200) return;
    const codes = { 400: 'invalid_query', 401: 'invalid_api_key', 404: 'not_found', 500: 'internal_error' } as const;
    expectError(api, response, { status, code: codes[status], ...(status === 400 && { param: 'x' }) });
  });

  it('does not reveal the server software', async () => {
    const { headers } = await client.send('GET', `${api.path}/models`, { headers: { Origin: 'https://evil.example' } });
    expect(Object.keys(headers).filter((name) => /^(x-powered-by|server|access-control)/.test(name))).toEqual([]);
  });
});

describe('a response under /v1', () => {
  it.each([
    ['200 of ping', 200, () => client.sendBare('GET', '/v1/ping')],
    ['404 of a job', 404, () => client.send('GET', '/v1/jobs/1')],
  ] as const)('has a request id and the rate limit: %s', async (_name, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expectRateHeaders(response);
  });

  it('has a request id of its own, whatever the client sends', async () => {
    const headers = { 'X-Request-Id': 'req_mine' };
    const ids = await Promise.all(
      [1, 2].map(async () => (await client.sendBare('GET', '/v1/ping', headers)).headers['x-request-id']),
    );
    expect(new Set([...ids, 'req_mine']).size).toBe(3);
  });
});

describe.each(SERVED_APIS)('an API key, at $path', (api) => {
  const models = `${api.path}/models`;
  const authorization = (value: string | string[]): Promise<TestResponse> =>
    client.sendBare('GET', models, { Authorization: value });

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('is accepted with the scheme %j', async (scheme) => {
    expect((await authorization(`${scheme} ${API_KEY}`)).status).toBe(200);
  });

  it('is sent to billing as its hash, with the request id', async () => {
    const { headers } = await authorization(`Bearer ${API_KEY}`);
    // Requests of earlier tests count for the size of a lease, so `lease_tokens` may be present.
    expect(contexts.of(billingRpc.admit)).toMatchObject([
      { key_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, tokens: 1 },
    ]);
    const [admitCall, ...behind] = contexts.requests.map(({ call }) => [call?.requestId, call?.accountId]);
    expect(admitCall).toEqual([headers['x-request-id'], undefined]);
    expect(behind.length).toBeGreaterThan(0);
    expect(behind).toEqual(behind.map(() => [headers['x-request-id'], ADMISSION.account_id]));
  });

  it.each<[string, string | string[]]>([
    ['empty', ''],
    ['without a scheme', API_KEY],
    ['with another scheme', `Basic ${API_KEY}`],
    ['twice', [`Bearer ${API_KEY}`, `Bearer ${API_KEY}`]],
    ['misspelt', `Bearer ${API_KEY.slice(0, -1)}~`],
    ['with a wrong checksum', `Bearer ${API_KEY.slice(0, -6)}000000`],
    ['with more behind it', `Bearer ${API_KEY} x`],
    ['twice in one header', `Bearer ${API_KEY}, Bearer ${API_KEY}`],
    ['after a wrong one', ['Bearer x', `Bearer ${API_KEY}`]],
    ['without a space before it', `Bearer${API_KEY}`],
    ['in quotes', `Bearer "${API_KEY}"`],
    ['cut', `Bearer ${API_KEY.slice(0, -1)}`],
    ['in capitals', `Bearer ${API_KEY.toUpperCase()}`],
    ['of eight kilobytes', `Bearer ${'x'.repeat(8192)}`],
  ])('is refused without a request to billing when it is sent %s', async (_name, value) => {
    const refused = await authorization(value);
    expectError(api, refused, { status: 401, code: 'invalid_api_key' });
    expect(refused.error.type).toBe('authentication_error');
    expect(contexts.requests).toEqual([]);
  });

  it('is refused in the query', async () => {
    expect((await client.sendBare('GET', `${models}?api_key=${API_KEY}`)).status).toBe(401);
  });

  it('is refused with the same message when it is missing and when billing rejects it', async () => {
    contexts.on(billingRpc.admit, fail('invalid_api_key', 'Revoked yesterday.'));
    const unknown = await authorization(`Bearer ${UNKNOWN_KEY}`);
    const missing = await client.sendBare('GET', models);
    expect(unknown.status).toBe(401);
    expect({ ...unknown.error, request_id: '' }).toEqual({ ...missing.error, request_id: '' });
  });

  it('returns the state of its bucket, and 429 when the bucket is empty', async () => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: { allowed: true, limit: 7, remaining: 3 } }));
    expect((await client.send('GET', models)).headers).toMatchObject({
      'ratelimit-limit': '7',
      'ratelimit-remaining': '3',
    });
    const empty = { allowed: false, limit: 7, remaining: 0, retry_after_seconds: 9 };
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: empty }));
    const refused = await client.send('GET', models);
    expectError(api, refused, { status: 429, code: 'rate_limited' });
    expect(refused.error.type).toBe('rate_limit_error');
    expect(refused.headers).toMatchObject({ 'retry-after': '9', 'ratelimit-limit': '7', 'ratelimit-remaining': '0' });
  });
});

describe('a route that needs no key', () => {
  it('answers while billing is unavailable, also with a key', async () => {
    contexts.on(billingRpc.admit, fail('capacity', 'Away.'));
    const { status, json } = await client.send('GET', '/v1/ping');
    expect(status).toBe(200);
    expect(json()).toEqual({
      ok: true,
      service: 'kinora',
      version: expect.any(String) as string,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    });
  });

  it('takes a token of the address, and describes the bucket of a valid key without taking from it', async () => {
    for (const path of ['/v1/ping', '/v1/nothing']) {
      expect((await client.sendBare('GET', path)).headers['ratelimit-limit']).toBe('600');
      expect((await client.send('GET', path)).headers['ratelimit-limit']).toBe('60');
    }
    expect(contexts.of(billingRpc.admit).map(({ tokens }) => tokens)).toEqual([0, 0]);
  });
});

describe.each(SERVED_APIS)('an address that guesses keys, at $path', (api) => {
  const models = `${api.path}/models`;
  const guess = (otherClient: TestClient): Promise<TestResponse> =>
    otherClient.sendBare('GET', models, { Authorization: `Bearer ${UNKNOWN_KEY}`, Connection: 'keep-alive' });
  const knownHash = createHash('sha256').update(API_KEY).digest('hex');

  beforeEach(() => {
    const refuse = fail('invalid_api_key', 'Unknown.');
    contexts.on(billingRpc.admit, ({ key_sha256 }) => (key_sha256 === knownHash ? ADMISSION : refuse()));
  });

  it('is throttled, while a recently valid key from the same address is still admitted', async () => {
    const strict = await testBed.startGateway({ KINORA_ADDRESS_RATE_LIMIT_RPM: '3' });
    const otherClient = strict.client;
    const before = await otherClient.send('GET', models);
    const guesses: TestResponse[] = [];
    for (let i = 0; i < 4; i++) guesses.push(await otherClient.sendBare('GET', models));
    const otherAccount = await otherClient.send('GET', models);
    const elsewhere = [
      await otherClient.sendBare('GET', '/v1/ping'),
      await otherClient.sendBare('GET', `${api.path}/nothing`),
    ];
    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(guesses.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0', '0']);
    expect(guesses[3]?.error).toMatchObject(errorIn(api, 'rate_limited'));
    expect(Number(guesses[3]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect([before.status, otherAccount.status]).toEqual([200, 200]);
    expect(elsewhere.map(({ status }) => status)).toEqual([429, 429]);
  });

  it('causes as many requests to billing as its bucket holds tokens, also when all guesses arrive at once', async () => {
    const { client: otherClient } = await testBed.startGateway({ KINORA_ADDRESS_RATE_LIMIT_RPM: '3' });
    const guesses = await Promise.all(Array.from({ length: 20 }, () => guess(otherClient)));
    expect(guesses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(3).fill(401),
      ...Array<number>(17).fill(429),
    ]);
    expect(contexts.of(billingRpc.admit)).toHaveLength(3);
    expect((await otherClient.send('GET', models)).status).toBe(429);
    expect(contexts.of(billingRpc.admit)).toHaveLength(3);
  });

  it('loses its connection with each refusal; a valid key with an empty bucket keeps it', async () => {
    const { client: otherClient } = await testBed.startGateway({ KINORA_ADDRESS_RATE_LIMIT_RPM: '2' });
    contexts.on(billingRpc.admit, ({ key_sha256 }) =>
      key_sha256 === knownHash
        ? { ...ADMISSION, rate: { ...ADMISSION.rate, allowed: false } }
        : fail('invalid_api_key', '')(),
    );
    const known = await otherClient.send('GET', models, { headers: { Connection: 'keep-alive' } });
    const answers = [await guess(otherClient), await guess(otherClient), await guess(otherClient)];
    expect([known.status, known.headers.connection]).toEqual([429, 'keep-alive']);
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([
      [401, 'close'],
      [401, 'close'],
      [429, 'close'],
    ]);
  });

  it('loses no tokens to a valid key, nor to one that billing cannot check', async () => {
    const { client: otherAccount } = await testBed.startGateway({ KINORA_ADDRESS_RATE_LIMIT_RPM: '1' });
    contexts.on(billingRpc.admit, fail('capacity', 'Away.'));
    for (let i = 0; i < 3; i++) expect((await otherAccount.send('GET', models)).status).toBe(503);
    contexts.on(billingRpc.admit, () => ADMISSION);
    for (let i = 0; i < 3; i++) expect((await otherAccount.send('GET', models)).status).toBe(200);
    expect((await otherAccount.sendBare('GET', models)).status).toBe(401);
  });

  it('spends a token on the next use of a revoked key, which is then no longer remembered', async () => {
    const { client: former } = await testBed.startGateway({ KINORA_ADDRESS_RATE_LIMIT_RPM: '1' });
    expect((await former.send('GET', models)).status).toBe(200);
    contexts.on(billingRpc.admit, fail('invalid_api_key', 'Revoked.'));
    const answers = [await former.send('GET', models), await former.send('GET', models)];
    expect(answers.map(({ status }) => status)).toEqual([401, 429]);
    expect(contexts.of(billingRpc.admit)).toHaveLength(2);
  });
});

describe.each(SERVED_APIS)('the checks of a request, at $path', (api) => {
  const wrong = { 'Content-Type': 'text/plain', 'Content-Length': '0' };

  it('come in order: key, rate, type, length, query', async () => {
    const path = `${api.path}/images/generations?x=1`;
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '300000' };
    expectError(api, await client.sendBare('POST', path, wrong), { status: 401, code: 'invalid_api_key' });
    const typeless = await client.send('POST', path, { headers: wrong });
    expectError(api, typeless, { status: 400, code: 'invalid_content_type' });
    const long = await client.send('POST', path, { headers, body: ' '.repeat(300_000) });
    expectError(api, long, { status: 400, code: 'invalid_body' });
    expectError(api, await client.send('POST', path, { json: {} }), { status: 400, code: 'invalid_query', param: 'x' });
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: { ...ADMISSION.rate, allowed: false } }));
    expectError(api, await client.send('POST', path, { headers: wrong }), { status: 429, code: 'rate_limited' });
  });
});

describe.each(SERVED_APIS)('while keys cannot be checked, at $path', (api) => {
  const models = `${api.path}/models`;

  it.each(['capacity', 'internal_error'] as const)('answers 503 with Retry-After for the error %s', async (code) => {
    contexts.on(billingRpc.admit, fail(code, 'Not now.'));
    const [first, second] = [await client.send('GET', models), await client.send('GET', models)];
    expectError(api, first, { status: 503, code: 'capacity' });
    expect(first.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(first.error.type).toBe('capacity_error');
    expectRateHeaders(first);
    // The address bucket is described but not spent, so repeated retries never lead to a 429.
    const [before, after] = [first, second].map(({ headers }) => Number(headers['ratelimit-remaining']));
    expect(after).toBeGreaterThanOrEqual(before as number);
    expect(contexts.of(catalogRpc.listModels)).toEqual([]);
  });
});
