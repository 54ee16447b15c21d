import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { loadConfig } from '@kinora/service-kit';
import { ADMISSION, API_KEY, JOB } from '../../test/contexts.fixtures';
import { useGateway, type TestGateway } from '../../test/gateway.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';
import { GatewayConfig } from '../gateway.config';

const ORIGIN = 'https://app.example';
const testBed = useGateway({ KINORA_CORS_ORIGINS: `${ORIGIN}, http://localhost:5173` });
const { contexts } = testBed;
let closed: TestGateway;

beforeAll(async () => {
  closed = await testBed.startGateway({});
});
beforeEach(() => contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false })));

const corsOf = ({ headers }: TestResponse): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

const preflight = (path: string, origin: string, { client } = testBed.gateway): Promise<TestResponse> =>
  client.sendBare('OPTIONS', path, {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
  });

describe('an answer to a listed origin', () => {
  it.each([
    ['GET', '/v1/models', 200],
    ['GET', '/openai/v1/models', 200],
    ['POST', '/v1/images/generations', 400],
    ['GET', '/v1/nothing', 404],
    ['GET', '/files/a.png?expires=1&signature=x', 404],
  ])('may be read by its scripts, with the headers that clients need: %s %s', async (method, path, status) => {
    const answer = await testBed.client.send(method, path, { headers: { Origin: ORIGIN } });
    expect([answer.status, answer.headers.vary]).toEqual([status, 'Origin']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': expect.stringMatching(
        /^(?=.*\bX-Request-Id\b)(?=.*\bRateLimit-Limit\b)(?=.*\bRateLimit-Remaining\b)(?=.*\bRetry-After\b)/,
      ) as string,
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('may be read where the key is refused or its bucket is empty', async () => {
    const headers = { Origin: 'http://localhost:5173' };
    const unknown = await testBed.client.sendBare('GET', '/v1/models', headers);
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: { ...ADMISSION.rate, allowed: false } }));
    const limited = await testBed.client.send('GET', '/v1/models', { headers });
    expect([unknown.status, limited.status]).toEqual([401, 429]);
    for (const { headers: answered } of [unknown, limited])
      expect(answered['access-control-allow-origin']).toBe('http://localhost:5173');
  });
});

describe('an event stream', () => {
  it('may be read by the scripts of a listed origin', async () => {
    contexts.on(jobsRpc.getProgress, () => ({ job_id: JOB.id, status: 'queued', progress: null }) as JobProgress);
    const { status, headers } = await testBed.client.send('HEAD', `/v1/jobs/${JOB.id}/events`, {
      headers: { Origin: ORIGIN },
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, ORIGIN]);
  });
});

describe('a preflight', () => {
  it.each([
    ['/v1/images/generations', 'POST'],
    ['/v1/account/keys', 'GET, HEAD, POST'],
    [`/v1/jobs/${JOB.id}/outputs?x=1`, 'DELETE'],
    ['/openai/v1/images/edits', 'POST'],
  ])('of a listed origin is answered without a key: %s', async (path, methods) => {
    const answer = await preflight(path, ORIGIN);
    expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'authorization,content-type,idempotency-key',
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      'x-request-id': expect.stringMatching(/^req_/) as string,
      'ratelimit-limit': '600',
    });
  });

  it('of another origin is 404, as is one for an unknown path, and an OPTIONS that is none', async () => {
    const others = [
      await preflight('/v1/models', 'https://evil.example'),
      await preflight('/v1/models', `${ORIGIN}:444`),
      await preflight('/v1/models', 'null'),
    ];
    expect(others.map((answer) => [answer.status, corsOf(answer)])).toEqual([1, 2, 3].map(() => [404, {}]));
    expect((await preflight('/v1/nothing', ORIGIN)).status).toBe(404);
    expect((await testBed.client.sendBare('OPTIONS', '/v1/models', { Origin: ORIGIN })).status).toBe(404);
  });

  it('is 404 where no origins are listed, and no answer may be read', async () => {
    expect((await preflight('/v1/models', ORIGIN, closed)).status).toBe(404);
    const headers = { Origin: ORIGIN, Authorization: `Bearer ${API_KEY}` };
    const answer = await closed.client.sendBare('GET', '/v1/models', headers);
    expect([answer.status, answer.headers.vary, corsOf(answer)]).toEqual([200, undefined, {}]);
  });
});

describe('KINORA_CORS_ORIGINS', () => {
  const load = (origins: string): GatewayConfig =>
    loadConfig(GatewayConfig, {
      KINORA_PROFILE: 'local',
      KINORA_PUBLIC_URL: 'http://gateway.test',
      KINORA_URL_SIGNING_KEY: 'a signing key of this test only, long enough',
      KINORA_OBJECT_STORE_DIR: testBed.objectStoreDir,
      KINORA_CORS_ORIGINS: origins,
    });

  it.each(['', 'https://app.example', 'https://a.example:8443 , http://localhost:5173', 'http://[::1]:3000'])(
    'may be %j',
    (origins) => expect(load(origins).corsOrigins).toBe(origins),
  );

  it.each([
    ...['*', 'null', 'app.example', 'https://app.example/', 'https://app.example/a', 'https://APP.example'],
    ...[
      'https://app.example:443',
      'https://u@app.example',
      'https://*.example',
      'ftp://app.example',
      'https://a.example,,',
    ],
  ])('is refused at the start as %j', (origins) => {
    expect(() => load(origins)).toThrow('KINORA_CORS_ORIGINS');
  });
});
