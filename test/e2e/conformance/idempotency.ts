import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { Answer, ApiClient } from '../../support/api-client';
import { openAccount } from '../../support/operator';
import { SMALL_PNG } from './images';
import { expectEnvelope, expectJob } from './resources';
import { DELAY, type TestBed } from './test-bed';

const PATH = '/images/generations';
const BODY = { prompt: DELAY, size: '512x512', n: 1, metadata: { a: '1', b: '2' } };

const SAME: [what: string, text: string][] = [
  ['byte for byte', JSON.stringify(BODY)],
  [
    'with its keys in another order',
    JSON.stringify({ metadata: { b: '2', a: '1' }, n: 1, size: '512x512', prompt: DELAY }),
  ],
  ['with spaces', JSON.stringify(BODY, null, 2)],
  ['with escapes and another notation of a number', JSON.stringify(BODY).replace('"n":1', '"\\u006e":1.0')],
];

const OTHER: [what: string, body: object][] = [
  ['with another value', { ...BODY, n: 2 }],
  ['without a field that equals its default', { prompt: DELAY, size: '512x512', metadata: BODY.metadata }],
  ['with a default value written out', { ...BODY, output_format: 'png' }],
  ['that is invalid', { ...BODY, n: 'wrong' }],
];

const CONFLICT = { status: 409, code: 'idempotency_conflict', param: 'Idempotency-Key' };

let keys = 0;
const freshKey = (): string => `key-${++keys}`;

function poster(clientOf: () => ApiClient): (key: string, body?: unknown, path?: string) => Promise<Answer<Job>> {
  return (key, body = BODY, path = PATH) => clientOf().post<Job>(path, body, { 'Idempotency-Key': key });
}

export function describeConflicts(testBed: TestBed): void {
  const post = poster(() => testBed.client);

  describe('Idempotency rules: the scope of a key', () => {
    it.each(OTHER)('a body %s is a conflict', async (_, body) => {
      const key = freshKey();
      await post(key);
      expectEnvelope(await post(key, body), CONFLICT);
    });

    it('the same key and body on another route is a conflict', async () => {
      const key = freshKey();
      await post(key, { prompt: DELAY });
      expectEnvelope(await post(key, { prompt: DELAY }, '/images/edits'), CONFLICT);
    });

    it('a refused request binds no key', async () => {
      const key = freshKey();
      expectEnvelope(await post(key, { prompt: '' }), { status: 400, code: 'invalid_body', param: 'prompt' });
      expect((await post(key)).status).toBe(202);
    });

    it('another account has keys of its own', async () => {
      const key = freshKey();
      const mine = await post(key);
      const theirs = await (await openAccount(testBed.stack)).client.post<Job>(PATH, BODY, { 'Idempotency-Key': key });
      expect(theirs.status).toBe(202);
      expect(theirs.body.id).not.toBe(mine.body.id);
    });

    it('reads need no key, and store none', async () => {
      const key = { 'Idempotency-Key': freshKey() };
      const answer = await testBed.client.send<JobList>('/jobs?limit=1', { headers: key });
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
    });
  });
}

export function describeReplays(testBed: TestBed): void {
  let client: ApiClient;
  let accountId: string;
  const post = poster(() => client);

  beforeAll(async () => {
    ({ client, accountId } = await openAccount(testBed.stack));
  });

  describe('Idempotency rules: a replay', () => {
    it.each(SAME)('the same body %s is a replay that is not charged', async (_, text) => {
      const key = freshKey();
      const first = await post(key);
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([202, null]);
      const balance = await client.balanceMicros();
      const replay = await post(key, text);
      expect([replay.status, replay.headers.get('idempotency-replayed'), replay.body.id]).toEqual([
        200,
        'true',
        first.body.id,
      ]);
      expectJob(replay.body);
      expect(await client.balanceMicros()).toBe(balance);
    });

    it('ten concurrent requests are one job', async () => {
      const key = freshKey();
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(key)));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 202]);
    });

    it('a replay returns the current state of the job, and does not fetch its image again', async () => {
      const key = freshKey();
      testBed.receiver.answer = (_, response) => response.end(Buffer.from(SMALL_PNG.split(',')[1] ?? '', 'base64'));
      const body = { prompt: DELAY, image: testBed.remote('/once.png') };
      const { body: job } = await post(key, body, '/images/edits');
      testBed.receiver.answer = (_, response) => response.writeHead(404).end();
      await client.post(`/jobs/${job.id}/cancel`);
      const replay = await post(key, body, '/images/edits');
      expect([replay.status, replay.body.status]).toEqual([200, 'canceled']);
    });

    it('a replay needs neither an active account nor a balance', async () => {
      const key = freshKey();
      await post(key);
      await testBed.setStatus(accountId, 'paused');
      expect((await post(key)).status).toBe(200);
      expectEnvelope(await post(key, { ...BODY, n: 2 }), CONFLICT);
      await testBed.setStatus(accountId, 'active');
    });
  });
}
