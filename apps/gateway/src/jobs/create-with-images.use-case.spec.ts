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
  contexts.on(jobsRpc.quote, () => ({ price_micros: 1000 }));
  contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
});

const IMAGE = greyPng(80, 64);
const FRAME = toDataUri(IMAGE);
const PAYER = { account_id: ADMISSION.account_id, api_key_id: ADMISSION.api_key_id };
const keyed = { 'Idempotency-Key': 'a-key' };

const edit = (fields: object, headers = {}): Promise<TestResponse> =>
  client.send('POST', '/v1/images/edits', { json: { prompt: 'warmer', ...fields }, headers });
const animate = (fields: object, headers = {}): Promise<TestResponse> =>
  client.send('POST', '/v1/videos/generations', { json: fields, headers });

const storedInputs = (): Promise<string[]> => readdir(join(testBed.objectStoreDir, 'inputs')).catch(() => []);

function sent<Kind extends CreateJobRequest['kind']>(kind: Kind): Extract<CreateJobRequest, { kind: Kind }> {
  const [request] = contexts.of(jobsRpc.create);
  if (request?.kind !== kind) throw new Error(`jobs received no ${kind} request`);
  return request as Extract<CreateJobRequest, { kind: Kind }>;
}

async function takeStored(images: { object_key: string }[]): Promise<Buffer[]> {
  const stored = await Promise.all(images.map(({ object_key }) => testBed.gateway.objects.get(object_key)));
  await Promise.all(images.map(({ object_key }) => testBed.gateway.objects.delete(object_key)));
  return stored;
}

describe('an image edit', () => {
  it('stores the images unchanged, and sends their facts to jobs', async () => {
    const second = greyPng(64, 200);
    const { status } = await edit({ image: toDataUri(IMAGE, 'image/webp'), images: [toDataUri(second)] });
    expect(status).toBe(202);
    const request = sent('image.edit');
    expect(request.input).toEqual({ prompt: 'warmer' });
    expect(request.images).toMatchObject([
      {
        param: 'image',
        width: 80,
        height: 64,
        mime: 'image/png',
        object_key: expect.stringMatching(/^inputs\/[0-9a-f-]{36}\.png$/) as string,
      },
      { param: 'images[0]', width: 64, height: 200, mime: 'image/png' },
    ]);
    expect(await takeStored(request.images)).toEqual([IMAGE, second]);
  });

  it.each<[object, string]>([
    [{}, 'image'],
    [{ image: 'a', images: ['b', 'c', 'd'] }, 'images'],
    [{ image: toDataUri(IMAGE.subarray(0, -30)) }, 'image'],
    [{ image: toDataUri(IMAGE), images: [toDataUri(IMAGE), 'x'] }, 'images[1]'],
    [{ images: [toDataUri(IMAGE), 7] }, 'images[1]'],
    [{ image: 'https://localhost/image.png' }, 'image'],
  ])('is refused with the name of the invalid image', async (fields, param) => {
    const { status, error } = await edit(fields);
    expect([status, error.code, error.param]).toEqual([400, 'invalid_body', param]);
    expect(await storedInputs()).toEqual([]);
  });

  it('requests a quote for the model before an image is decoded', async () => {
    contexts.on(jobsRpc.quote, fail('model_unavailable', 'No such model.', { param: 'model' }));
    const { status, error } = await edit({ model: 'nothing', image: 'broken', images: ['broken'] });
    expect([status, error.code, error.param]).toEqual([404, 'model_unavailable', 'model']);
    expect(contexts.of(jobsRpc.quote)).toEqual([
      { ...PAYER, kind: 'image.edit', input: { prompt: 'warmer', model: 'nothing' }, image_count: 2 },
    ]);
  });

  it('deletes its images when another request with its Idempotency-Key was faster', async () => {
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: true }));
    const { status, headers } = await edit({ image: toDataUri(IMAGE) }, keyed);
    expect([status, headers['idempotency-replayed']]).toEqual([200, 'true']);
    expect(await storedInputs()).toEqual([]);
  });

  it('deletes its images when it is refused', async () => {
    contexts.on(jobsRpc.create, fail('content_blocked_input', 'Blocked.', { param: 'image' }));
    expect((await edit({ image: toDataUri(IMAGE) })).status).toBe(422);
    expect(await storedInputs()).toEqual([]);
  });

  it('leaves the pixels to moderation, and passes its refusal on', async () => {
    const damaged = greyPng(64, 64).map((byte, at) => (at === 60 ? byte ^ 1 : byte));
    const refusal = 'image: The image data is incomplete or damaged.';
    contexts.on(jobsRpc.create, fail('invalid_body', refusal, { param: 'image' }));
    const { status, error } = await edit({ image: toDataUri(Buffer.from(damaged)) });
    expect([status, error.code, error.param, error.message]).toEqual([400, 'invalid_body', 'image', refusal]);
    expect(contexts.of(jobsRpc.create)).toHaveLength(1);
    expect(await storedInputs()).toEqual([]);
  });

  it('keeps its images when the outcome of the create is unknown', async () => {
    contexts.on(jobsRpc.create, fail('capacity', 'Away.'));
    expect((await edit({ image: toDataUri(IMAGE) })).status).toBe(503);
    const [left] = await storedInputs();
    expect(left).toMatch(/\.png$/);
    await testBed.gateway.objects.delete(`inputs/${left}`);
  });
});

describe('a video', () => {
  it('needs only its start frame, which is stored unchanged', async () => {
    expect((await animate({ image: FRAME })).status).toBe(202);
    const { images, ...request } = sent('video.generation');
    const request_sha256 = createHash('sha256').update(`{"image":"${FRAME}"}`).digest('hex');
    const job_id: unknown = expect.any(String);
    expect(request).toEqual({ kind: 'video.generation', ...PAYER, input: {}, request_sha256, job_id });
    expect(images).toMatchObject([{ param: 'image', width: 80, height: 64, mime: 'image/png' }]);
    expect(await takeStored(images)).toEqual([IMAGE]);
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
    await animate({ ...input, image: FRAME, metadata, webhook_url }, keyed);
    expect(sent('video.generation')).toMatchObject({
      input,
      metadata,
      webhook_url,
      idempotency: { route: 'POST /videos/generations' },
    });
    expect(contexts.of(jobsRpc.quote)).toEqual([{ ...PAYER, kind: 'video.generation', input, image_count: 1 }]);
    await takeStored(sent('video.generation').images);
  });

  it.each<[object, string]>([
    [{}, 'image'],
    [{ image: toDataUri(greyPng(63, 64)) }, 'image'],
    [{ image: FRAME, images: [FRAME] }, 'images'],
    [{ image: FRAME, duration: 6 }, 'duration'],
    [{ image: FRAME, webhook_url: 'http://hooks.example/' }, 'webhook_url'],
  ])('is refused with the name of the invalid field: case %#', async (fields, param) => {
    const { status, error } = await animate(fields);
    expect([status, error.code, error.param]).toEqual([400, 'invalid_body', param]);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
    expect(await storedInputs()).toEqual([]);
  });
});
