import type { Job } from '@kinora/contracts/jobs/job';
import { type ApiClient } from '../../support/api-client';
import { openAccount } from '../../support/operator';
import { SMALL_PNG } from './images';
import { type ExpectedError, expectEnvelope } from './resources';
import { DELAY, type TestBed } from './test-bed';

const CREATES: [path: string, body: object][] = [
  ['/images/generations', { prompt: DELAY }],
  ['/images/edits', { prompt: DELAY, image: SMALL_PNG }],
  ['/videos/generations', { image: SMALL_PNG }],
];
const STATUSES = ['paused', 'suspended', 'closed'] as const;
const BLOCKED = 'a kinora-moderation-test-block b';

const unavailable = { status: 404, code: 'model_unavailable', param: 'model' };
const blocked = (param: string): ExpectedError => ({ status: 422, code: 'content_blocked_prompt', param });
const invalid = (param: string): ExpectedError => ({ status: 400, code: 'invalid_body', param });
const GENERATE = '/images/generations';
const EDIT = '/images/edits';

/** Two errors at once: the earlier check decides the response. */
const FAULTS: [what: string, path: string, body: object, refused: ExpectedError][] = [
  ['an invalid field before an unknown model', GENERATE, { n: 5, model: 'x' }, invalid('n')],
  ['an unknown field before an invalid one', GENERATE, { n: 5, x: 1 }, invalid('x')],
  ['the first invalid field of the table', GENERATE, { seed: -1, n: 5 }, invalid('n')],
  ['an unknown model before its sizes', GENERATE, { size: '100x100', model: 'x' }, unavailable],
  ['a model without the capability', GENERATE, { size: '100x100', model: 'image-edit' }, unavailable],
  ['a model that cannot edit', EDIT, { image: SMALL_PNG, model: 'general-image' }, unavailable],
  ['an unknown model of 64 characters', GENERATE, { model: 'm'.repeat(64) }, unavailable],
  ['an invalid size before an invalid image', EDIT, { image: 'x', size: '100x100' }, invalid('size')],
  ['an invalid image before blocked words', EDIT, { image: 'x', prompt: BLOCKED }, invalid('image')],
  ['a wrong LoRA before blocked words', GENERATE, { loras: [{ id: 'x' }], prompt: BLOCKED }, invalid('loras[0].id')],
  ['blocked words', GENERATE, { prompt: BLOCKED }, blocked('prompt')],
  ['blocked words in the negative prompt', GENERATE, { negative_prompt: BLOCKED }, blocked('negative_prompt')],
];

export function describeOrderOfChecks(testBed: TestBed): void {
  describe('order of checks on job creation (decisions: Order of checks)', () => {
    it.each(FAULTS)('%s', async (_, path, body, refused) => {
      expectEnvelope(await testBed.client.post(path, { prompt: DELAY, ...body }), refused);
    });

    it('an invalid content type before invalid JSON, that before an invalid key, that before an invalid field', async () => {
      const post = (text: string, headers: Record<string, string>) => testBed.client.post(GENERATE, text, headers);
      const key = { 'Idempotency-Key': 'not a key' };
      const typed = await post('{', { ...key, 'content-type': 'text/plain' });
      expectEnvelope(typed, { status: 400, code: 'invalid_content_type' });
      expectEnvelope(await post('{', key), { status: 400, code: 'invalid_json' });
      const keyed = { status: 400, code: 'invalid_idempotency_key', param: 'Idempotency-Key' };
      expectEnvelope(await post('{}', key), keyed);
    });

    it('blocked words before an empty wallet, and an empty wallet last', async () => {
      const { client } = await openAccount(testBed.stack, { balance_micros: 1 });
      expectEnvelope(await client.post(GENERATE, { prompt: BLOCKED }), blocked('prompt'));
      const poor = await client.post(GENERATE, { prompt: DELAY });
      expectEnvelope(poor, { status: 402, code: 'insufficient_balance' });
    });

    it('no image is fetched for a request that an earlier check refuses', async () => {
      testBed.receiver.requests.length = 0;
      const image = testBed.remote('/not-fetched.png');
      for (const wrong of [{ n: 1 }, { model: 'nobody' }, { size: '100x100' }]) {
        await testBed.client.post(EDIT, { prompt: 'a', image, ...wrong });
      }
      expect(testBed.receiver.requests).toEqual([]);
    });
  });
}

export function describeLimits(testBed: TestBed): void {
  describe('Account status', () => {
    it.each(STATUSES)('%s refuses every create before its fields are checked, and nothing else', async (status) => {
      const { client, accountId } = await openAccount(testBed.stack);
      const { id } = await client.generate({ prompt: DELAY });
      await testBed.setStatus(accountId, status);
      for (const [path, body] of CREATES) {
        const refused = { status: 403, code: `account_${status}` };
        expectEnvelope(await client.post(path, body), refused);
        expectEnvelope(await client.post(path, {}), refused);
      }
      expect((await client.get<{ status: string }>('/account')).body.status).toBe(status);
      expect((await client.post<Job>(`/jobs/${id}/cancel`)).body.status).toBe('canceled');
    });
  });

  describe('Limits', () => {
    it('an empty bucket refuses every request that needs the key, with a Retry-After', async () => {
      const { client } = await openAccount(testBed.stack, { rate_limit_rpm: 3 });
      const remaining: (string | null)[] = [];
      for (let request = 0; request < 3; request++) {
        const { headers } = await client.get('/models');
        expect(headers.get('ratelimit-limit')).toBe('3');
        remaining.push(headers.get('ratelimit-remaining'));
      }
      expect(remaining).toEqual(['2', '1', '0']);
      const exhausted = { status: 429, code: 'rate_limited' };
      const refused = await client.get('/account');
      expectEnvelope(refused, exhausted);
      const retryAfterSeconds = Number(refused.headers.get('retry-after'));
      expect(retryAfterSeconds).toBeGreaterThan(10);
      expect(retryAfterSeconds).toBeLessThanOrEqual(20);
      // Neither the content type nor the path is checked before.
      expectEnvelope(await client.post(GENERATE, '{', { 'content-type': 'text/plain' }), exhausted);
      expect((await client.get('/ping')).status).toBe(200);
    });

    it('a job beyond the in-flight limit is refused until another one ends', async () => {
      const { client } = await openAccount(testBed.stack, { max_concurrent_jobs: 2 });
      const create = (): ReturnType<ApiClient['generate']> => client.generate({ prompt: DELAY });
      const [first] = [await create(), await create()];
      const third = await client.post(GENERATE, { prompt: DELAY });
      expectEnvelope(third, { status: 429, code: 'concurrency_limit' });
      await client.post(`/jobs/${first.id}/cancel`);
      expect((await create()).status).toBe('queued');
    });

    it('a job that costs the whole balance is paid; the next one is refused', async () => {
      const { client } = await openAccount(testBed.stack, { balance_micros: 80_000 });
      const { usage } = await client.generate({ prompt: DELAY, n: 4 });
      expect(usage).toEqual({ charged_micros: 80_000, charged_usd: 0.08, gpu_ms: null });
      const second = await client.post(GENERATE, { prompt: DELAY });
      expectEnvelope(second, { status: 402, code: 'insufficient_balance' });
    });
  });
}
