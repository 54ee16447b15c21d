import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { unkeyedRequestsRpc } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { useGateway } from '../../test/gateway.fixtures';
import { UNKEYED, fail } from '../../test/contexts.fixtures';
import { EDITED_BYTES, editForm, EditsTestBed, ENDED_EDIT, type Fields, toForm } from '../../test/edits.fixtures';
import { fullestEdit } from '../../test/fullest-bodies.fixtures';
import { greyPng } from '../../test/image.fixtures';
import type { OpenAiErrorBody } from './openai-error';

const IMAGES = [greyPng(80, 64), greyPng(64, 200), greyPng(100, 100)];

const testBed = useGateway({}, new EditsTestBed());
const { contexts } = testBed;

/** The bytes that the gateway has stored for the job. */
const stored = (): Promise<Buffer[]> =>
  Promise.all(testBed.created().images.map(({ object_key }) => testBed.gateway.objects.get(object_key)));

describe('an edit of the OpenAI-compatible API', () => {
  it('stores the file unchanged, creates a job as /v1 does, and answers in base64', async () => {
    const { status, headers, json } = await testBed.post(await editForm());
    expect([status, headers['x-kinora-job-id']]).toEqual([200, ENDED_EDIT.id]);
    expect(json<{ data: unknown }>().data).toEqual([{ b64_json: EDITED_BYTES.toString('base64') }]);
    expect(testBed.created()).toMatchObject({
      input: { prompt: 'warmer' },
      images: [{ param: 'image', width: 80, height: 64, mime: 'image/png' }],
      idempotency: { key: UNKEYED, route: 'POST /openai/images/edits' },
      request_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(await stored()).toEqual([IMAGES[0]]);
  });

  it.each(['image', 'image[]'])('takes three files as %s, in their order', async (name) => {
    expect((await testBed.post(await toForm({ prompt: 'warmer', [name]: IMAGES }))).status).toBe(200);
    expect(await stored()).toEqual(IMAGES);
  });

  it('takes every field at its longest, with three files of 10 MiB', async () => {
    const { images: _images, metadata, ...texts } = fullestEdit();
    const largest = greyPng(64, 64, 10 * 1024 * 1024 - greyPng(64, 64).length);
    const entries = Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value]);
    const fields = [...Object.entries(texts), ...entries].map(([name, value]) => [name, String(value)]);
    const { status } = await testBed.post(
      await toForm({ ...(Object.fromEntries(fields) as Fields), 'image[]': [largest, largest, largest] }),
    );
    expect(status).toBe(200);
    expect(testBed.created()).toMatchObject({ input: { prompt: texts.prompt, seed: texts.seed }, metadata });
  });

  it('passes the fields of /v1 on in their types, and names those that change nothing', async () => {
    const known = { model: 'gpt-image-1', n: '1', size: 'auto', seed: '7', output_format: 'webp', stream: 'false' };
    const form = await editForm({ ...known, 'metadata[order]': 'C-1', quality: 'low', input_fidelity: 'high' });
    const { headers } = await testBed.post(form);
    expect(headers['x-kinora-ignored']).toBe('quality, input_fidelity');
    const { input, metadata } = testBed.created();
    expect(input).toEqual({ prompt: 'warmer', model: 'image-edit', seed: 7, output_format: 'webp' });
    expect(metadata).toEqual({ order: 'C-1' });
  });

  it('is answered as URLs, or as one event of its own', async () => {
    const urls = await testBed.post(await editForm({ response_format: 'url' }));
    expect(urls.json<{ data: unknown }>().data).toEqual([{ url: 'http://gateway.test/files/edited' }]);
    const { bytes } = await testBed.post(await editForm({ stream: 'true' }));
    const [event = '', data = ''] = bytes.toString('utf8').trimEnd().split('\n');
    expect(event).toBe('event: image_edit.completed');
    expect(JSON.parse(data.replace('data: ', ''))).toMatchObject({
      type: 'image_edit.completed',
      b64_json: EDITED_BYTES.toString('base64'),
    });
  });

  it('takes an image of 4096 by 4096 pixels, whatever type is declared', async () => {
    const sent = await editForm({ image: greyPng(4096, 4096) }, 'text/plain');
    expect((await testBed.post(sent)).status).toBe(200);
    expect(testBed.created().images).toMatchObject([{ width: 4096, height: 4096, mime: 'image/png' }]);
  });

  it('keeps no file of a request that jobs refuses', async () => {
    contexts.on(jobsRpc.create, fail('content_blocked_input', 'Why.', { param: 'images[1]' }));
    const refused = await testBed.post(await editForm({ image: IMAGES.slice(1) }));
    expect([refused.status, refused.json<OpenAiErrorBody>().error]).toMatchObject([
      400,
      { code: 'moderation_blocked', param: 'image[1]' },
    ]);
    expect(await testBed.storedInputs()).toEqual([]);
  });
});

describe('a repeat of an edit', () => {
  const hashes = () => contexts.of(unkeyedRequestsRpc.open).map(({ request_hash }) => request_hash);

  it('is recognised by its parts, although its boundary is new', async () => {
    const [first, second, other] = [await editForm(), await editForm(), await editForm({ seed: '1' })];
    expect(first.body.equals(second.body)).toBe(false);
    for (const form of [first, second, other]) await testBed.post(form);
    const [one, again, another] = hashes();
    expect(again).toBe(one);
    expect(another).not.toBe(one);
  });

  it('gets the job of the first request, and stores no file', async () => {
    contexts.on(jobsRpc.findReplay, () => ({ job: ENDED_EDIT }));
    const { status, headers } = await testBed.post(await editForm());
    expect([status, headers['idempotency-replayed']]).toEqual([200, 'true']);
    expect([contexts.of(jobsRpc.create), await testBed.storedInputs()]).toEqual([[], []]);
  });

  it('goes by its Idempotency-Key where it has one, with the same hash', async () => {
    await testBed.post(await editForm());
    const body_sha256 = contexts.of(jobsRpc.findReplay)[0]?.idempotency.body_sha256;
    await testBed.reset();
    contexts.on(jobsRpc.findReplay, () => ({ job: ENDED_EDIT }));
    await testBed.post(await editForm(), { 'Idempotency-Key': 'mine' });
    expect(hashes()).toEqual([]);
    expect(contexts.of(jobsRpc.findReplay)).toMatchObject([
      { idempotency: { key: 'mine', route: 'POST /openai/images/edits', body_sha256 } },
    ]);
  });
});
