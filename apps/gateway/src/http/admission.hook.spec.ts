import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { TestBroker, createTestLog, startTestService, waitFor } from '@kinora/testing';
import { TestClient, type TestResponse } from '../test-client';
import { ADMISSION, API_KEY, JOB, StandInController, TestContexts, UNKNOWN_KEY, fail } from '../test-contexts';
import { type TestGateway, startTestGateway } from '../test-gateway';

const log = createTestLog();
const contexts = new TestContexts();
const closing: (() => Promise<void>)[] = [];
let start: (settings?: NodeJS.ProcessEnv) => Promise<TestGateway>;
let gateway: TestGateway;
let client: TestClient;

beforeAll(async () => {
  const objectStoreDir = await mkdtemp(join(tmpdir(), 'kinora-gateway-'));
  closing.unshift(() => rm(objectStoreDir, { recursive: true, force: true }));
  const broker = await TestBroker.start();
  closing.unshift(() => broker.close());
  const providers = [{ provide: TestContexts, useValue: contexts }];
  const services = await startTestService({
    name: 'contexts',
    natsUrl: broker.url,
    controllers: [StandInController],
    providers,
  });
  closing.unshift(() => services.close());
  start = (settings = {}) => startTestGateway({ natsUrl: broker.url, objectStoreDir, logger: log.logger, settings });
  gateway = await start();
  closing.unshift(() => gateway.close());
  client = new TestClient(gateway.port);
});

afterAll(async () => {
  for (const close of closing) await close();
});

beforeEach(() => {
  contexts.reset();
  contexts.on(catalogRpc.listModels, () => ({ object: 'list' as const, data: [] }));
});

function expectDoorHeaders({ headers }: TestResponse): void {
  expect(headers['x-request-id']).toMatch(/^req_[0-9a-f]{24}$/);
  expect(headers['ratelimit-limit']).toMatch(/^\d+$/);
  expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
}

describe('every response under /v1', () => {
  it.each([
    ['200 of ping', 200, () => client.sendBare('GET', '/v1/ping')],
    ['200', 200, () => client.send('GET', '/v1/models')],
    ['400', 400, () => client.send('GET', '/v1/models?x=1')],
    ['401', 401, () => client.sendBare('GET', '/v1/models')],
    ['404 of a path', 404, () => client.sendBare('GET', '/v1/nothing')],
    ['404 of a method', 404, () => client.send('DELETE', '/v1/models')],
    ['404 of a job', 404, () => client.send('GET', '/v1/jobs/1')],
    ['500', 500, () => client.send('GET', '/v1/account')],
  ] as const)('has a request id and the rate limit: %s', async (_name, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expectDoorHeaders(response);
    if (status !== 200) expect(response.error.request_id).toBe(response.headers['x-request-id']);
  });

  it('has a request id of its own, whatever the client sends', async () => {
    const headers = { 'X-Request-Id': 'req_mine' };
    const ids = await Promise.all(
      [1, 2].map(async () => (await client.sendBare('GET', '/v1/ping', headers)).headers['x-request-id']),
    );
    expect(new Set([...ids, 'req_mine']).size).toBe(3);
  });

  it('tells nothing of the server', async () => {
    const { headers } = await client.send('GET', '/v1/models', { headers: { Origin: 'https://evil.example' } });
    expect(Object.keys(headers).filter((name) => /^(x-powered-by|server|access-control)/.test(name))).toEqual([]);
  });
});

describe('an API key', () => {
  const authorization = (value: string | string[]): Promise<TestResponse> =>
    client.sendBare('GET', '/v1/models', { Authorization: value });

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('is taken with the scheme %j', async (scheme) => {
    expect((await authorization(`${scheme} ${API_KEY}`)).status).toBe(200);
  });

  it('is asked for as its hash, with the request id', async () => {
    const { headers } = await authorization(`Bearer ${API_KEY}`);
    expect(contexts.of(billingRpc.admit)).toEqual([{ key_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
    expect(contexts.asked.map(({ call }) => call?.requestId)).toEqual([
      headers['x-request-id'],
      headers['x-request-id'],
    ]);
    expect(contexts.asked.map(({ call }) => call?.accountId)).toEqual([undefined, ADMISSION.account_id]);
  });

  it.each<[string, string | string[]]>([
    ['empty', ''],
    ['without a scheme', API_KEY],
    ['with another scheme', `Basic ${API_KEY}`],
    ['twice', [`Bearer ${API_KEY}`, `Bearer ${API_KEY}`]],
    ['misspelt', `Bearer ${API_KEY.slice(0, -1)}~`],
    ['with a wrong checksum', `Bearer ${API_KEY.slice(0, -6)}000000`],
    ['with more behind it', `Bearer ${API_KEY} x`],
    ['of eight kilobytes', `Bearer ${'x'.repeat(8192)}`],
  ])('is refused without asking anybody when it is sent %s', async (_name, value) => {
    const { status, error } = await authorization(value);
    expect([status, error.type, error.code]).toEqual([401, 'authentication_error', 'invalid_api_key']);
    expect(contexts.asked).toEqual([]);
  });

  it('is refused when it stands in the query', async () => {
    expect((await client.sendBare('GET', `/v1/models?api_key=${API_KEY}`)).status).toBe(401);
  });

  it('is refused in the same words when it is missing and when billing does not know it', async () => {
    contexts.on(billingRpc.admit, fail('invalid_api_key', 'Revoked yesterday.'));
    const unknown = await authorization(`Bearer ${UNKNOWN_KEY}`);
    const missing = await client.sendBare('GET', '/v1/models');
    expect(unknown.status).toBe(401);
    expect({ ...unknown.error, request_id: '' }).toEqual({ ...missing.error, request_id: '' });
  });

  it('shows its own bucket, and 429 when that is empty', async () => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: { allowed: true, limit: 7, remaining: 3 } }));
    expect((await client.send('GET', '/v1/models')).headers).toMatchObject({
      'ratelimit-limit': '7',
      'ratelimit-remaining': '3',
    });
    const empty = { allowed: false, limit: 7, remaining: 0, retry_after_seconds: 9 };
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: empty }));
    const refused = await client.send('GET', '/v1/models');
    expect([refused.status, refused.error.type, refused.error.code]).toEqual([429, 'rate_limit_error', 'rate_limited']);
    expect(refused.headers).toMatchObject({ 'retry-after': '9', 'ratelimit-limit': '7', 'ratelimit-remaining': '0' });
  });

  it('cannot be judged while billing is away: 503, to be retried', async () => {
    contexts.on(billingRpc.admit, fail('capacity', 'Away.'));
    const refused = await client.send('GET', '/v1/models');
    expect([refused.status, refused.error.type, refused.error.code]).toEqual([503, 'capacity_error', 'capacity']);
    expect(refused.headers['retry-after']).toBe('1');
    expectDoorHeaders(refused);
  });
});

describe('a route that needs no key', () => {
  it('answers while billing is away, also to somebody with a key', async () => {
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

  it('describes the bucket of a valid key, and of the address without one', async () => {
    expect((await client.send('GET', '/v1/ping')).headers['ratelimit-limit']).toBe('60');
    expect((await client.sendBare('GET', '/v1/ping')).headers['ratelimit-limit']).toBe('600');
  });
});

describe('an address that guesses keys', () => {
  it('is throttled, and lets a neighbour with a key pass', async () => {
    const strict = await start({ KINORA_ADDRESS_RATE_LIMIT_RPM: '3' });
    const stranger = new TestClient(strict.port);
    const guesses: TestResponse[] = [];
    for (let i = 0; i < 4; i++) guesses.push(await stranger.sendBare('GET', '/v1/models'));
    const neighbour = await stranger.send('GET', '/v1/models');
    const pinged = await stranger.sendBare('GET', '/v1/ping');
    await strict.close();
    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(guesses.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0', '0']);
    expect(guesses[3]?.error.code).toBe('rate_limited');
    expect(Number(guesses[3]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(neighbour.status).toBe(200);
    expect(pinged.status).toBe(429);
  });
});

describe('an unknown endpoint', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/models/'],
    ['GET', '/v1/Models'],
    ['GET', '/v2/models'],
    ['GET', '/models'],
    ['GET', '/v1/%zz'],
    ['GET', '/v1/jobs/%ff'],
    ['GET', '/v1/jobs/%E0%A4%A/cancel'],
    ['GET', '/v1/images/generations'],
    ['POST', '/v1/models'],
    ['PUT', '/v1/images/generations'],
    ['DELETE', '/v1/jobs'],
    ['OPTIONS', '/v1/models'],
    ['TRACE', '/v1/models'],
    ['PROPFIND', '/v1/models'],
  ])('is 404, never 401 or 405: %s %s', async (method, path) => {
    const { status, error } = await client.sendBare(method, path);
    expect([status, error.type, error.code]).toEqual([404, 'not_found', 'not_found']);
  });

  it('is 404 whatever the body claims to be', async () => {
    const headers = { 'Content-Type': 'text/plain', Authorization: `Bearer ${API_KEY}` };
    expect((await client.sendBare('POST', '/v1/nothing', headers, 'x'.repeat(5000))).status).toBe(404);
  });

  it('has no HEAD beside each GET', async () => {
    expect((await client.send('HEAD', '/v1/models')).status).toBe(404);
  });

  it('is not reached through another method', async () => {
    const headers = { 'X-HTTP-Method-Override': 'GET', 'X-Method-Override': 'GET' };
    expect((await client.send('POST', '/v1/models', { headers })).status).toBe(404);
  });
});

describe('a body', () => {
  const post = (headers: Record<string, string | number>, body = '{}'): Promise<TestResponse> =>
    client.send('POST', '/v1/images/generations', { headers, body });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
  ])('may be of type %s', async (type) => {
    expect((await post({ 'Content-Type': type })).error).toMatchObject({ code: 'invalid_body', param: 'prompt' });
  });

  it.each([
    'text/plain',
    'application/json-patch+json',
    'application/json; charset=latin1',
    'text/json',
    'application/x-www-form-urlencoded',
    'nonsense',
  ])('may not be of type %s', async (type) => {
    expect((await post({ 'Content-Type': type })).error.code).toBe('invalid_content_type');
  });

  it('may not be without a type', async () => {
    expect((await post({})).error.code).toBe('invalid_content_type');
  });

  it.each([
    ['empty', ''],
    ['cut off', '{"prompt":'],
    ['with a byte order mark', '\ufeff{}'],
    ['with a comment', '{}//'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['compressed', Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
  ])('that is %s is no JSON', async (_name, body) => {
    const { status, error } = await client.send('POST', '/v1/images/generations', {
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect([status, error.type, error.code]).toEqual([400, 'invalid_request_error', 'invalid_json']);
  });

  it('that is deep is refused like any other wrong one', async () => {
    const body = '['.repeat(60_000) + ']'.repeat(60_000);
    expect((await post({ 'Content-Type': 'application/json' }, body)).error.code).toBe('invalid_body');
    const keyed = await post({ 'Content-Type': 'application/json', 'Idempotency-Key': 'k' }, body);
    expect(keyed.error.code).toBe('invalid_body');
  });

  it('may be as long as the route allows, and no longer', async () => {
    const spaces = (count: number): string => `{}${' '.repeat(count - 2)}`;
    expect((await post({ 'Content-Type': 'application/json' }, spaces(131_072))).error.param).toBe('prompt');
    const tooLong = await post({ 'Content-Type': 'application/json' }, spaces(131_073));
    expect(tooLong.error).toMatchObject({ code: 'invalid_body', message: expect.stringContaining('131072') as string });
  });

  it('is counted as it comes when it declares no length', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const chunked = (body: string): Promise<TestResponse> =>
      client.sendBare(
        'POST',
        '/v1/images/generations',
        { ...headers, Authorization: `Bearer ${API_KEY}`, 'Content-Length': [] },
        body,
      );
    expect((await chunked('{}')).error.param).toBe('prompt');
    expect((await chunked(`{}${' '.repeat(200_000)}`)).error.message).toContain('131072');
  });

  it('is refused by its length on a route that takes none', async () => {
    contexts.on(jobsRpc.cancel, () => JOB);
    const path = `/v1/jobs/${JOB.id}/cancel`;
    expect((await client.send('POST', path, { body: 'anything' })).status).toBe(200);
    expect((await client.send('POST', path, { body: 'x'.repeat(1025) })).error.code).toBe('invalid_body');
  });
});

describe('what the head tells', () => {
  /** Sends a head that announces forty megabytes, and nothing more. */
  function announce(
    headers: Record<string, string>,
    port = gateway.port,
  ): Promise<{ status: number; invited: boolean; finish(): void }> {
    return new Promise((resolve, reject) => {
      let invited = false;
      const options = { host: '127.0.0.1', port, method: 'POST', path: '/v1/images/edits', agent: false };
      const outgoing = request({ ...options, headers: { 'Content-Length': '40000000', ...headers } });
      outgoing.once('continue', () => {
        invited = true;
        resolve({ status: 100, invited, finish: () => outgoing.destroy() });
      });
      outgoing.once('response', (response) => {
        outgoing.destroy();
        resolve({ status: response.statusCode ?? 0, invited, finish: () => undefined });
      });
      outgoing.once('error', reject);
      outgoing.flushHeaders();
    });
  }

  const json = { 'Content-Type': 'application/json' };
  const key = { Authorization: `Bearer ${API_KEY}` };
  const expectContinue = { Expect: '100-continue' };

  it('is answered before the body is read: a wrong key', async () => {
    expect((await announce(json)).status).toBe(401);
  });

  it('is answered before the body is read: an empty bucket', async () => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: { ...ADMISSION.rate, allowed: false } }));
    expect((await announce({ ...json, ...key })).status).toBe(429);
  });

  it('is answered before the body is read: a wrong type, a length beyond the bound', async () => {
    expect((await announce({ ...key, 'Content-Type': 'text/plain' })).status).toBe(400);
    expect((await announce({ ...key, ...json, 'Content-Length': '43000001' })).status).toBe(400);
  });

  it('is answered before a client that asks first is invited to send', async () => {
    expect(await announce({ ...json, ...expectContinue })).toMatchObject({ status: 401, invited: false });
    const welcome = await announce({ ...json, ...key, ...expectContinue });
    expect(welcome).toMatchObject({ status: 100, invited: true });
    welcome.finish();
  });

  it('counts against the room for bodies, which is given back', async () => {
    const small = await start({ KINORA_BODIES_MAX_BYTES: '43000000' });
    const large = await announce({ ...json, ...key, ...expectContinue }, small.port);
    const second = await announce({ ...json, ...key }, small.port);
    large.finish();
    const third = await waitFor(async () => {
      const answer = await announce({ ...json, ...key, ...expectContinue }, small.port);
      answer.finish();
      return answer.status !== 503 && answer;
    });
    await small.close();
    expect([second.status, third.status]).toEqual([503, 100]);
  });
});

describe('checks', () => {
  const wrong = { 'Content-Type': 'text/plain', 'Content-Length': '0' };

  it('come in order: key, rate, type, length, query', async () => {
    const path = '/v1/images/generations?x=1';
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '200000' };
    expect((await client.sendBare('POST', path, wrong)).error.code).toBe('invalid_api_key');
    expect((await client.send('POST', path, { headers: wrong })).error.code).toBe('invalid_content_type');
    expect((await client.send('POST', path, { headers, body: ' '.repeat(200_000) })).error.code).toBe('invalid_body');
    expect((await client.send('POST', path, { json: {} })).error).toMatchObject({ code: 'invalid_query', param: 'x' });
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: { ...ADMISSION.rate, allowed: false } }));
    expect((await client.send('POST', path, { headers: wrong })).error.code).toBe('rate_limited');
  });
});
