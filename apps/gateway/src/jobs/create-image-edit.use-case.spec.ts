import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
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
const keyed = { 'Idempotency-Key': 'a-key' };

const edit = (fields: object, headers = {}): Promise<TestResponse> =>
  client.send('POST', '/v1/images/edits', { json: { prompt: 'warmer', ...fields }, headers });

async function storedInputs(): Promise<string[]> {
  return readdir(join(testBed.objectStoreDir, 'inputs')).catch(() => []);
}

describe('an image edit', () => {
  it('stores the images unchanged, and sends their facts to jobs', async () => {
    const second = greyPng(64, 200);
    const { status } = await edit({ image: toDataUri(IMAGE, 'image/webp'), images: [toDataUri(second)] });
    expect(status).toBe(202);
    const [request] = contexts.of(jobsRpc.create);
    if (request?.kind !== 'image.edit') throw new Error('jobs received no image.edit request');
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
    const stored = await Promise.all(request.images.map(({ object_key }) => testBed.gateway.objects.get(object_key)));
    expect(stored).toEqual([IMAGE, second]);
    await Promise.all(request.images.map(({ object_key }) => testBed.gateway.objects.delete(object_key)));
  });

  it('accepts three images of the largest size', async () => {
    const largest = greyPng(64, 64, 10 * 1024 * 1024 - greyPng(64, 64).length);
    const { status } = await edit({ images: [largest, largest, largest].map((bytes) => toDataUri(bytes)) }, keyed);
    expect(status).toBe(202);
    const [request] = contexts.of(jobsRpc.create);
    if (request?.kind !== 'image.edit') throw new Error('jobs received no image.edit request');
    for (const { object_key } of request.images) {
      expect((await testBed.gateway.objects.get(object_key)).equals(largest)).toBe(true);
      await testBed.gateway.objects.delete(object_key);
    }
  });

  it.each<[object, string]>([
    [{}, 'image'],
    [{ images: [] }, 'images'],
    [{ image: '' }, 'image'],
    [{ image: 'a', images: ['b', 'c', 'd'] }, 'images'],
    [{ image: 'not a URI' }, 'image'],
    [{ image: 'data:image/png;base64,AAAA' }, 'image'],
    [{ image: 'data:text/html;base64,AAAA' }, 'image'],
    [{ image: `${toDataUri(IMAGE)}!` }, 'image'],
    [{ image: toDataUri(greyPng(63, 64)) }, 'image'],
    [{ image: toDataUri(greyPng(64, 4097)) }, 'image'],
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
    const payer = { account_id: ADMISSION.account_id, api_key_id: ADMISSION.api_key_id };
    expect(contexts.of(jobsRpc.quote)).toEqual([
      { ...payer, kind: 'image.edit', input: { prompt: 'warmer', model: 'nothing' }, image_count: 2 },
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
