import { randomInt } from 'node:crypto';
import { BASE62, apiKeyChecksum } from '@kinora/contracts/billing/api-key-format';
import type { JobList } from '@kinora/contracts/jobs/job';
import { waitFor } from '@kinora/testing';
import { type Answer, ApiClient } from '../../support/api-client';
import { openAccount } from '../../support/operator';
import { RawConnection } from '../../support/raw-http';
import { expectEnvelope, expectHeaders } from './resources';
import { DELAY, type TestBed } from './test-bed';

const UNAUTHENTICATED = { status: 401, code: 'invalid_api_key' };
const NOT_FOUND = { status: 404, code: 'not_found' };
/** Less than the time that the gateway waits for a body. */
const ANSWERED_WITHIN_MS = 20_000;

/** Well-formed keys that do not exist. */
function inventedKey(prefix: 'live' | 'test'): string {
  const random = Array.from({ length: 32 }, () => BASE62[randomInt(BASE62.length)]).join('');
  const body = `knr_${prefix}_${random}`;
  return body + apiKeyChecksum(body);
}

/** Authorization headers without a valid key, made from the valid one. */
export const WRONG_KEYS: { what: string; headers: (key: string) => string[] }[] = [
  { what: 'no header', headers: () => [] },
  { what: 'an empty header', headers: () => [''] },
  { what: 'only the scheme', headers: () => ['Bearer'] },
  { what: 'a scheme and a space', headers: () => ['Bearer '] },
  { what: 'a key without a scheme', headers: (key) => [key] },
  { what: 'the scheme Basic', headers: (key) => [`Basic ${key}`] },
  { what: 'the scheme Token', headers: (key) => [`Token ${key}`] },
  { what: 'no space after the scheme', headers: (key) => [`Bearer${key}`] },
  { what: 'a colon after the scheme', headers: (key) => [`Bearer: ${key}`] },
  { what: 'quotes around the key', headers: (key) => [`Bearer "${key}"`] },
  { what: 'two headers with the key', headers: (key) => [`Bearer ${key}`, `Bearer ${key}`] },
  { what: 'a wrong header before the right one', headers: (key) => ['Bearer x', `Bearer ${key}`] },
  { what: 'a wrong header after the right one', headers: (key) => [`Bearer ${key}`, 'Bearer x'] },
  { what: 'two keys in a header', headers: (key) => [`Bearer ${key}, Bearer ${key}`] },
  { what: 'text after the key', headers: (key) => [`Bearer ${key} x`] },
  { what: 'a truncated key', headers: (key) => [`Bearer ${key.slice(0, -1)}`] },
  { what: 'a key with an additional character', headers: (key) => [`Bearer ${key}0`] },
  { what: 'a wrong checksum', headers: (key) => [`Bearer ${key.slice(0, -6)}000000`] },
  { what: 'the key in capitals', headers: (key) => [`Bearer ${key.toUpperCase()}`] },
  { what: 'a key that does not exist', headers: () => [`Bearer ${inventedKey('live')}`] },
  { what: 'a test key that does not exist', headers: () => [`Bearer ${inventedKey('test')}`] },
  { what: 'the key as a test key', headers: (key) => [`Bearer ${key.replace('live', 'test')}`] },
  { what: 'eight kilobytes', headers: () => [`Bearer ${'x'.repeat(8_192)}`] },
];

const OPERATIONS = [
  'POST /images/generations',
  'POST /images/edits',
  'GET /jobs',
  'GET /jobs/01a1f958-b9ac-704f-9888-bb62723227cf',
  'POST /jobs/01a1f958-b9ac-704f-9888-bb62723227cf/cancel',
  'GET /models',
  'GET /loras',
  'GET /account',
  'GET /usage',
];

const NOWHERE = [
  'GET ',
  'GET /',
  'GET /models/',
  'GET /Models',
  'GET /model',
  'GET /images/generations',
  'GET /images/edits',
  'GET /images/variations',
  'POST /images/inpaint',
  'PUT /images/generations',
  'PATCH /account',
  'DELETE /jobs/01a1f958-b9ac-704f-9888-bb62723227cf',
  'POST /jobs',
  'GET /jobs/01a1f958-b9ac-704f-9888-bb62723227cf/cancel',
  'POST /jobs/01a1f958-b9ac-704f-9888-bb62723227cf',
  'POST /models',
  'POST /ping',
  'OPTIONS /models',
  'GET /v1/models',
  'GET /models%00',
];

const MALFORMED_IDS = [
  '1',
  'null',
  'undefined',
  '01a1f958b9ac704f9888bb62723227cf',
  '{01a1f958-b9ac-704f-9888-bb62723227cf}',
  '01a1f958-b9ac-704f-9888-bb62723227cg',
  '01a1f958-b9ac-704f-9888-bb62723227cf%20',
  '%00',
  '%F0%9F%98%80',
  'a'.repeat(5_000),
  "'%20or%201=1",
];

/** Sends the head only, so a response shows that the body was not read. */
async function requestByHead({ port }: TestBed, operation: string, lines: string[]): Promise<Answer<unknown>> {
  const [method, path] = operation.split(' ');
  const connection = await RawConnection.open(port);
  connection.write([`${method} /v1${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n'));
  const answer = await waitFor(() => connection.answers[0], { timeoutMs: ANSWERED_WITHIN_MS });
  connection.destroy();
  expectHeaders(answer.headers);
  return answer;
}

export function describeAuthentication(testBed: TestBed): void {
  const body = ['Content-Type: application/json', 'Content-Length: 100', 'Expect: 100-continue'];

  describe('Authentication', () => {
    it.each(WRONG_KEYS)('$what is refused before the body is sent', async ({ headers }) => {
      const lines = headers(testBed.apiKey).map((value) => `Authorization: ${value}`);
      expectEnvelope(await requestByHead(testBed, 'POST /images/generations', [...body, ...lines]), UNAUTHENTICATED);
    });

    it.each(OPERATIONS)('%s needs a key', async (operation) => {
      expectEnvelope(await requestByHead(testBed, operation, []), UNAUTHENTICATED);
    });

    it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme may be written %s', async (scheme) => {
      expect(
        (await requestByHead(testBed, 'GET /account', [`Authorization: ${scheme} ${testBed.apiKey}`])).status,
      ).toBe(200);
    });

    it('a revoked key is refused at once', async () => {
      const { api_key, api_key_id } = await testBed.createKey();
      const client = new ApiClient(testBed.client.baseUrl, api_key);
      expect((await client.get('/account')).status).toBe(200);
      await testBed.revokeKey(api_key_id);
      await waitFor(async () => (await client.get('/account')).status === 401, { timeoutMs: 1_000 });
    });

    it('an expired key is refused', async () => {
      const { api_key } = await testBed.createKey(new Date(Date.now() + 1_500).toISOString());
      const client = new ApiClient(testBed.client.baseUrl, api_key);
      expect((await client.get('/account')).status).toBe(200);
      const refused = await waitFor(async () => {
        const answer = await client.get('/account');
        return answer.status !== 200 && answer;
      });
      expectEnvelope(refused, UNAUTHENTICATED);
    });

    it('a response gives no reason', async () => {
      const messages = await Promise.all(
        WRONG_KEYS.map(async ({ headers }) => {
          const lines = headers(testBed.apiKey).map((value) => `Authorization: ${value}`);
          return ((await requestByHead(testBed, 'GET /account', lines)).body as { error: { message: string } }).error
            .message;
        }),
      );
      expect(new Set(messages).size).toBe(1);
    });
  });
}

export function describeHeads(testBed: TestBed): void {
  const authorized = (): string => `Authorization: Bearer ${testBed.apiKey}`;

  describe('what the head shows is refused before the body is sent', () => {
    const refusedHeads: { what: string; lines: string[]; code: string; param?: string }[] = [
      { what: 'a wrong content type', lines: ['Content-Type: text/plain'], code: 'invalid_content_type' },
      { what: 'no content type', lines: [], code: 'invalid_content_type' },
      {
        what: 'a compressed body',
        lines: ['Content-Type: application/json', 'Content-Encoding: gzip'],
        code: 'invalid_content_type',
        param: 'Content-Encoding',
      },
      { what: 'a form', lines: ['Content-Type: multipart/form-data; boundary=x'], code: 'invalid_content_type' },
      {
        what: 'two content types',
        lines: ['Content-Type: application/json', 'Content-Type: text/plain'],
        code: 'invalid_content_type',
      },
      {
        what: 'a length beyond the limit',
        lines: ['Content-Type: application/json', 'Content-Length: 202753'],
        code: 'invalid_body',
      },
    ];
    it.each(refusedHeads)('$what', async ({ lines, ...expected }) => {
      const answer = await requestByHead(testBed, 'POST /images/generations', [
        authorized(),
        'Expect: 100-continue',
        ...lines,
      ]);
      expectEnvelope(answer, { status: 400, ...expected });
    });

    it.each([
      'application/json;charset=utf-8',
      'APPLICATION/JSON; Charset="UTF-8"',
      'application/json ;charset=latin1; a=b',
    ])('the content type %s is accepted', async (type) => {
      const answer = await testBed.client.post('/images/generations', '{}', { 'content-type': type });
      expectEnvelope(answer, { status: 400, code: 'invalid_body', param: 'prompt' });
    });

    it('edits may have 43 MB, and not a byte more', async () => {
      const lines = [authorized(), 'Content-Type: application/json', 'Expect: 100-continue'];
      const answer = await requestByHead(testBed, 'POST /images/edits', [...lines, 'Content-Length: 43000001']);
      expectEnvelope(answer, { status: 400, code: 'invalid_body' });
      const connection = await RawConnection.open(testBed.port);
      const head = ['POST /v1/images/edits HTTP/1.1', 'Host: x', ...lines, 'Content-Length: 43000000', '', ''];
      connection.write(head.join('\r\n'));
      await waitFor(() => connection.text.startsWith('HTTP/1.1 100 Continue'));
      connection.destroy();
    });
  });
}

export function describeNowhere(testBed: TestBed): void {
  const authorized = (): string => `Authorization: Bearer ${testBed.apiKey}`;

  describe('an unknown id', () => {
    it.each(NOWHERE)('%s is 404', async (operation) => {
      expectEnvelope(await requestByHead(testBed, operation, [authorized()]), NOT_FOUND);
    });

    it.each(['/v1', '/v2/models', '/models', '/favicon.ico', '/.env'])('GET %s is 404', async (path) => {
      expectEnvelope(await requestByHead(testBed, `GET /..${path}`, []), NOT_FOUND);
    });

    it.each(MALFORMED_IDS)('unknown paths and ids', async (id) => {
      expectEnvelope(await requestByHead(testBed, `GET /jobs/${id}`, [authorized()]), NOT_FOUND);
      expectEnvelope(await requestByHead(testBed, `POST /jobs/${id}/cancel`, [authorized()]), NOT_FOUND);
    });

    it("another account's job is 404 with the body of an unknown one", async () => {
      const { id } = await testBed.client.generate({ prompt: DELAY });
      const stranger = (await openAccount(testBed.stack)).client;
      const unknown = '01a1f958-b9ac-704f-9888-bb62723227cf';
      for (const path of ['', '/cancel']) {
        const probe = (job: string): Promise<Answer<unknown>> =>
          path === '' ? stranger.get(`/jobs/${job}`) : stranger.post(`/jobs/${job}${path}`);
        const [theirs, unowned] = [await probe(id), await probe(unknown)];
        expectEnvelope(theirs, NOT_FOUND);
        const message = (answer: Answer<unknown>): string =>
          JSON.stringify(answer.body).replace(/req_[0-9a-zA-Z]+/, '');
        expect(message(theirs)).toBe(message(unowned));
      }
      expect((await stranger.get<JobList>('/jobs')).body.data).toEqual([]);
      expect((await testBed.client.job(id)).status).not.toBe('canceled');
      await testBed.client.post(`/jobs/${id}/cancel`);
    });
  });
}
