import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CreateJobRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';
import { greyPng, toDataUri } from '../../test/image.fixtures';

const testBed = useGateway();
const { client, contexts } = testBed;

beforeEach(() => {
  contexts.on(jobsRpc.quote, () => ({ price_micros: 250_000 }));
  contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
});

const IMAGE_FILE = greyPng(80, 64);
const IMAGE = toDataUri(IMAGE_FILE);

const animate = (fields: object, headers = {}): Promise<TestResponse> =>
  client.send('POST', '/v1/videos/generations', { json: fields, headers });

async function storedInputs(): Promise<string[]> {
  return readdir(join(testBed.objectStoreDir, 'inputs')).catch(() => []);
}

function sentRequest(): Extract<CreateJobRequest, { kind: 'video.generation' }> {
  const [request] = contexts.of(jobsRpc.create);
  if (request?.kind !== 'video.generation') throw new Error('jobs received no video.generation request');
  return request;
}

describe('a video', () => {
  it('needs only its start frame, which is stored unchanged', async () => {
    expect((await animate({ image: IMAGE })).status).toBe(202);
    const { images, ...request } = sentRequest();
    const { account_id, api_key_id } = ADMISSION;
    const request_sha256 = createHash('sha256').update(`{"image":"${IMAGE}"}`).digest('hex');
    const job_id: unknown = expect.any(String);
    expect(request).toEqual({ kind: 'video.generation', account_id, api_key_id, input: {}, request_sha256, job_id });
    expect(images).toMatchObject([{ param: 'image', width: 80, height: 64, mime: 'image/png' }]);
    const [{ object_key: objectKey } = { object_key: '' }] = images;
    expect(await testBed.gateway.objects.get(objectKey)).toEqual(IMAGE_FILE);
    await testBed.gateway.objects.delete(objectKey);
  });

  it('is requested from jobs with all sent fields, and nothing else', async () => {
    const input = {
      model: 'image-to-video',
      prompt: ' Slowly,\nto the left \u{1f98a} ',
      negative_prompt: '',
      duration: 8,
      seed: 0,
      loras: [{ url: 'https://x.example/high.safetensors', low_url: 'https://x.example/low.safetensors', strength: 1 }],
    };
    const metadata = { order: '17' };
    const webhook_url = 'https://hooks.example/kinora';
    await animate({ ...input, image: IMAGE, metadata, webhook_url }, { 'Idempotency-Key': 'a-key' });
    expect(sentRequest()).toMatchObject({
      input,
      metadata,
      webhook_url,
      idempotency: { route: 'POST /videos/generations' },
    });
    const payer = { account_id: ADMISSION.account_id, api_key_id: ADMISSION.api_key_id };
    expect(contexts.of(jobsRpc.quote)).toEqual([{ ...payer, kind: 'video.generation', input, image_count: 1 }]);
    await Promise.all(sentRequest().images.map(({ object_key }) => testBed.gateway.objects.delete(object_key)));
  });

  it('accepts the largest image and the longest texts', async () => {
    const largest = greyPng(64, 64, 10 * 1024 * 1024 - greyPng(64, 64).length);
    const texts = { prompt: '\u{1f98a}'.repeat(1500), negative_prompt: '\u{1f98a}'.repeat(1000) };
    expect((await animate({ image: toDataUri(largest), ...texts })).status).toBe(202);
    const [{ object_key: objectKey } = { object_key: '' }] = sentRequest().images;
    expect((await testBed.gateway.objects.get(objectKey)).equals(largest)).toBe(true);
    await testBed.gateway.objects.delete(objectKey);
  });

  it.each<[object, string]>([
    [{}, 'image'],
    [{ image: '' }, 'image'],
    [{ image: [IMAGE] }, 'image'],
    [{ image: 'data:image/png;base64,AAAA' }, 'image'],
    [{ image: toDataUri(greyPng(63, 64)) }, 'image'],
    [{ image: IMAGE, images: [IMAGE] }, 'images'],
    [{ image: IMAGE, size: '832x480' }, 'size'],
    [{ image: IMAGE, n: 1 }, 'n'],
    [{ image: IMAGE, output_format: 'mp4' }, 'output_format'],
    [{ image: IMAGE, prompt: 'x'.repeat(1501) }, 'prompt'],
    [{ image: IMAGE, negative_prompt: 'x'.repeat(1001) }, 'negative_prompt'],
    [{ image: IMAGE, model: '' }, 'model'],
    [{ image: IMAGE, duration: 6 }, 'duration'],
    [{ image: IMAGE, duration: '5' }, 'duration'],
    [{ image: null }, 'image'],
    [{ image: IMAGE, prompt: ' \u200b' }, 'prompt'],
    [{ image: IMAGE, seed: -1 }, 'seed'],
    [{ image: IMAGE, loras: Array(4).fill({ id: 'a' }) }, 'loras'],
    [{ image: IMAGE, loras: [{ id: 'a', low_url: 'https://x.example/a.safetensors' }] }, 'loras[0].low_url'],
    [{ image: IMAGE, loras: [{ low_url: 'https://x.example/a.safetensors' }] }, 'loras[0].low_url'],
    [{ image: IMAGE, loras: [{ strength: 1 }] }, 'loras[0]'],
    [
      { image: IMAGE, loras: [{ url: 'https://x.example/a.safetensors', low_url: 'https://10.0.0.1/a.safetensors' }] },
      'loras[0].low_url',
    ],
    [{ image: IMAGE, webhook_url: 'http://hooks.example/' }, 'webhook_url'],
  ])('is refused with the name of the invalid field: case %#', async (fields, param) => {
    const { status, error } = await animate(fields);
    expect([status, error.code, error.param]).toEqual([400, 'invalid_body', param]);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
    expect(await storedInputs()).toEqual([]);
  });

  it('is refused for its model before its start frame is decoded', async () => {
    contexts.on(jobsRpc.quote, fail('model_unavailable', 'No such model.', { param: 'model' }));
    const { status, error } = await animate({ model: 'general-image', image: 'broken' });
    expect([status, error.code, error.param]).toEqual([404, 'model_unavailable', 'model']);
  });

  it('may be as large as one image with its texts, and no larger', async () => {
    const body = (bytes: number): string => `{"prompt":7}${' '.repeat(bytes - 12)}`;
    const headers = { 'Content-Type': 'application/json' };
    const send = (bytes: number): Promise<TestResponse> =>
      client.send('POST', '/v1/videos/generations', { headers, body: body(bytes) });
    expect((await send(14_500_000)).error.param).toBe('image');
    expect((await send(14_500_001)).error.message).toContain('14500000');
  });

  it('deletes its start frame when it is refused', async () => {
    contexts.on(jobsRpc.create, fail('content_blocked_input', 'Blocked.', { param: 'image' }));
    expect((await animate({ image: IMAGE })).status).toBe(422);
    expect(await storedInputs()).toEqual([]);
  });
});
