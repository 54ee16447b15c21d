import { isDeepStrictEqual } from 'node:util';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { useGateway } from './gateway.fixtures';
import { JOB, fail } from './contexts.fixtures';
import { fullestEdit, fullestGeneration, fullestVideo, toEscapedJson } from './fullest-bodies.fixtures';
import { expectError, SERVED_APIS, type TestResponse } from './http-client.fixtures';
import { BODY_MAX_BYTES, EDIT_FORM_MAX_BYTES } from '../src/body-limits';

const OPERATIONS = [
  { kind: 'image.generation', path: '/v1/images/generations', body: fullestGeneration() },
  { kind: 'image.edit', path: '/v1/images/edits', body: fullestEdit() },
  { kind: 'video.generation', path: '/v1/videos/generations', body: fullestVideo() },
] as const;

describe('the body limit of a creating operation', () => {
  const testBed = useGateway();
  const { contexts } = testBed;

  beforeEach(() => {
    contexts.on(jobsRpc.quote, () => ({ price_micros: 1000 }));
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
  });

  const post = (path: string, body: string): Promise<TestResponse> =>
    testBed.client.send('POST', path, { headers: { 'Content-Type': 'application/json' }, body });

  it.each(OPERATIONS)('accepts the largest legal body, and little more: $kind', async (operation) => {
    const { kind, path, body } = operation;
    const json = toEscapedJson(body);
    expect(isDeepStrictEqual(JSON.parse(json), body)).toBe(true);
    expect(BODY_MAX_BYTES[kind] - Buffer.byteLength(json)).toBeLessThan(0.04 * BODY_MAX_BYTES[kind]);
    const answer = await post(path, json);
    expect([answer.status, answer.status === 202 ? null : answer.error]).toEqual([202, null]);
    const { webhook_url, metadata, prompt } = body;
    expect(contexts.of(jobsRpc.create)).toMatchObject([{ kind, webhook_url, metadata, input: { prompt } }]);
  });

  it.each(SERVED_APIS)('refuses a body that is one byte longer, at $path', async (api) => {
    const [path, maxBytes, json] = [
      `${api.path}/images/generations`,
      BODY_MAX_BYTES['image.generation'],
      '{"prompt":7}',
    ];
    expectError(api, await post(path, json.padEnd(maxBytes)), { status: 400, code: 'invalid_body', param: 'prompt' });
    const refused = await post(path, json.padEnd(maxBytes + 1));
    expectError(api, refused, { status: 400, code: 'invalid_body' });
    expect(refused.error.message).toContain(String(maxBytes));
  });

  it('accepts the largest generation at /openai/v1 too', async () => {
    contexts.on(jobsRpc.create, fail('capacity', 'The body was accepted.'));
    const { status } = await post('/openai/v1/images/generations', toEscapedJson(fullestGeneration()));
    expect(status).toBe(503);
    const { webhook_url, metadata, prompt } = fullestGeneration();
    expect(contexts.of(jobsRpc.create)).toMatchObject([{ webhook_url, metadata, input: { prompt } }]);
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
