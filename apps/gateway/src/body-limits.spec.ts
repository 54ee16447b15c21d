import { isDeepStrictEqual } from 'node:util';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { JOB } from './fixtures/contexts.fixtures';
import { fullestEdit, fullestGeneration, fullestVideo, toEscapedJson } from './fixtures/fullest-bodies.fixtures';
import { GatewayTestBed } from './fixtures/gateway.fixtures';
import type { TestResponse } from './fixtures/http-client.fixtures';
import { BODY_MAX_BYTES, EDIT_FORM_MAX_BYTES } from './body-limits';

const OPERATIONS = [
  { kind: 'image.generation', path: '/v1/images/generations', body: fullestGeneration() },
  { kind: 'image.edit', path: '/v1/images/edits', body: fullestEdit() },
  { kind: 'video.generation', path: '/v1/videos/generations', body: fullestVideo() },
] as const;

describe('the body limit of a creating operation', () => {
  const testBed = new GatewayTestBed();
  const { contexts } = testBed;

  beforeAll(() => testBed.start());
  afterAll(() => testBed.close());
  beforeEach(() => {
    contexts.reset();
    contexts.on(jobsRpc.quote, () => ({ price_micros: 1000 }));
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
  });

  const post = (path: string, body: string): Promise<TestResponse> =>
    testBed.client.send('POST', path, { headers: { 'Content-Type': 'application/json' }, body });

  it.each(OPERATIONS)(
    'accepts the largest legal body, and little more: $kind',
    async (operation) => {
      const { kind, path, body } = operation;
      const json = toEscapedJson(body);
      expect(isDeepStrictEqual(JSON.parse(json), body)).toBe(true);
      expect(BODY_MAX_BYTES[kind] - Buffer.byteLength(json)).toBeLessThan(0.04 * BODY_MAX_BYTES[kind]);
      const answer = await post(path, json);
      expect([answer.status, answer.status === 202 ? null : answer.error]).toEqual([202, null]);
      const { webhook_url, metadata, prompt } = body;
      expect(contexts.of(jobsRpc.create)).toMatchObject([{ kind, webhook_url, metadata, input: { prompt } }]);
    },
    60_000,
  );

  it('refuses a body that is one byte longer', async () => {
    const maxBytes = BODY_MAX_BYTES['image.generation'];
    const json = '{"prompt":7}';
    expect((await post('/v1/images/generations', json.padEnd(maxBytes))).error.param).toBe('prompt');
    const { error } = await post('/v1/images/generations', json.padEnd(maxBytes + 1));
    expect(error).toMatchObject({ code: 'invalid_body', message: expect.stringContaining(String(maxBytes)) as string });
  });

  it('equals the documented limit', () => {
    expect(BODY_MAX_BYTES).toEqual({
      'image.generation': 202_752,
      'image.edit': 43_000_000,
      'video.generation': 14_500_000,
    });
    expect(EDIT_FORM_MAX_BYTES).toBe(32_000_000);
  });
});
