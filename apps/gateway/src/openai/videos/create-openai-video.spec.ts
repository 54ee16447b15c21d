import { randomBytes } from 'node:crypto';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { unkeyedRequestsRpc } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { ADMISSION, JOB, UNKEYED, fail } from '../../../test/contexts.fixtures';
import { type Fields, toForm } from '../../../test/edits.fixtures';
import { useGateway } from '../../../test/gateway.fixtures';
import type { TestResponse } from '../../../test/http-client.fixtures';
import { greyPng, toDataUri } from '../../../test/image.fixtures';
import { RUNNING, SHOWN, VIDEOS, answerVideos } from '../../../test/videos.fixtures';
import type { OpenAiErrorBody } from '../openai-error';

const testBed = useGateway();
const { contexts } = testBed;
const frame = toDataUri(greyPng(1280, 720));

beforeEach(() => answerVideos(contexts));

const create = (json: object, headers = {}): Promise<TestResponse> =>
  testBed.client.send('POST', VIDEOS, { json, headers });
const upload = async (fields: Fields): Promise<TestResponse> =>
  testBed.client.send('POST', VIDEOS, await toForm(fields));
const errorOf = (response: TestResponse) => response.json<OpenAiErrorBody>().error;

describe('POST /videos', () => {
  it('creates the job by the use case of /v1, and answers at once', async () => {
    const body = { model: 'sora-2', prompt: 'to the left', seconds: '8', size: '1280x720', user: 'u', seed: 7 };
    const { status, headers, json } = await create({ ...body, input_reference: { image_url: frame } });
    expect([status, json()]).toEqual([200, SHOWN]);
    expect(headers).toMatchObject({ 'x-kinora-job-id': JOB.id, 'x-kinora-ignored': 'user' });
    expect(contexts.of(jobsRpc.create)).toMatchObject([
      {
        kind: 'video.generation',
        account_id: ADMISSION.account_id,
        input: { model: 'image-to-video', prompt: 'to the left', duration: 8, seed: 7 },
        wanted_size: '1280x720',
        images: [{ width: 1280, height: 720, mime: 'image/png' }],
        idempotency: {
          key: UNKEYED,
          route: 'POST /openai/videos',
          body_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
      },
    ]);
    expect(contexts.of(jobsRpc.create)[0]?.input).not.toHaveProperty('size');
  });

  it('leaves out what the client leaves out', async () => {
    await create({ input_reference: { image_url: frame }, seconds: null, size: 'auto', model: null });
    const [created] = contexts.of(jobsRpc.create);
    expect(created).toMatchObject({ input: {} });
    expect(created?.input).toEqual({});
    expect(created).not.toHaveProperty('wanted_size');
  });

  it('answers a repeat with the job of the request that it repeats', async () => {
    contexts.on(jobsRpc.findReplay, () => ({ job: RUNNING }));
    const repeated = await create({ input_reference: { image_url: frame } }, { 'X-Stainless-Retry-Count': '1' });
    expect(repeated.headers['idempotency-replayed']).toBe('true');
    expect(repeated.json()).toMatchObject({ id: JOB.id, status: 'in_progress', progress: 37 });
    expect(contexts.of(unkeyedRequestsRpc.open)).toMatchObject([{ is_marked: true }]);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('takes the key of a client that sends one', async () => {
    await create({ input_reference: { image_url: frame } }, { 'Idempotency-Key': 'mine' });
    expect(contexts.of(unkeyedRequestsRpc.open)).toEqual([]);
    expect(contexts.of(jobsRpc.create)[0]?.idempotency?.key).toBe('mine');
  });

  it.each([
    [{}, 'input_reference'],
    [{ input_reference: 'https://example.com/a.png' }, 'input_reference'],
    [{ input_reference: {} }, 'input_reference.image_url'],
    [{ input_reference: { file_id: 'file-1' } }, 'input_reference.file_id'],
    [{ input_reference: { image_url: 'nonsense' } }, 'input_reference'],
    [{ input_reference: { image_url: 'https://127.0.0.1/a.png' } }, 'input_reference'],
    [{ seconds: '4', input_reference: { image_url: 'https://example.com/a.png' } }, 'seconds'],
    [{ size: 'wide', input_reference: { image_url: 'https://example.com/a.png' } }, 'size'],
    [{ image: 'https://example.com/a.png' }, 'image'],
    [{ duration: 5 }, 'duration'],
    [{ input_reference: { image_url: 'https://example.com/a.png' }, remix_of: 'x' }, 'remix_of'],
  ])('refuses %j', async (body, param) => {
    const refused = await create({ prompt: 'p', ...body });
    expect([refused.status, errorOf(refused).param]).toEqual([400, param]);
    expect(errorOf(refused).message).toMatch(new RegExp(`^${param.replace('.', '\\.')}\\b`));
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it.each([
    ['image', 'input_reference'],
    ['duration', 'seconds'],
    ['size', 'size'],
  ])('names the field of an error about %s as the client does', async (param, shown) => {
    contexts.on(jobsRpc.create, fail('invalid_body', `${param} is wrong.`, { param }));
    const refused = await create({ input_reference: { image_url: frame } });
    expect(errorOf(refused)).toMatchObject({ param: shown, message: `${shown} is wrong.` });
  });
});

describe('POST /videos with a form', () => {
  const PNG = greyPng(1280, 720);
  const LARGE = greyPng(640, 480, randomBytes(300_000));

  it('takes the start frame as a file', async () => {
    const texts = { model: 'sora-2', prompt: 'to the left', seconds: '8', size: '1280x720', seed: '7', user: 'u' };
    const { status, headers, json } = await upload({ ...texts, 'metadata[order]': '1794', input_reference: PNG });
    expect([status, json(), headers['x-kinora-ignored']]).toEqual([200, SHOWN, 'user']);
    expect(contexts.of(jobsRpc.create)).toMatchObject([
      {
        input: { model: 'image-to-video', prompt: 'to the left', duration: 8, seed: 7 },
        metadata: { order: '1794' },
        wanted_size: '1280x720',
        images: [{ width: 1280, height: 720 }],
      },
    ]);
  });

  it.each([
    ['a short data URI', toDataUri(greyPng(640, 480))],
    ['a long data URI', toDataUri(LARGE)],
  ])('takes the start frame as %s', async (_, url) => {
    expect((await upload({ 'input_reference[image_url]': url })).status).toBe(200);
    expect(contexts.of(jobsRpc.create)).toMatchObject([{ images: [{ width: 640, height: 480 }] }]);
  });

  it('recognises the repeat of a form, which has another boundary', async () => {
    for (const frameFile of [PNG, PNG, LARGE]) await upload({ prompt: 'p', input_reference: frameFile });
    const [first, repeated, other] = contexts.of(unkeyedRequestsRpc.open).map(({ request_hash }) => request_hash);
    expect(repeated).toBe(first);
    expect(other).not.toBe(first);
  });

  it.each<[string, Fields, string]>([
    ['no start frame', { input_reference: [] }, 'input_reference'],
    ['a text as the start frame', { input_reference: 'https://example.com/a.png' }, 'input_reference'],
    ['two start frames', { input_reference: [PNG, PNG] }, 'input_reference'],
    ['a start frame that is no image', { input_reference: Buffer.from('text') }, 'input_reference'],
    ['the id of a file', { input_reference: [], 'input_reference[file_id]': 'file-1' }, 'input_reference.file_id'],
    ['a long text', { prompt: 'p'.repeat(40_000) }, 'prompt'],
    ['an unknown field', { fps: '24' }, 'fps'],
  ])('refuses %s', async (_, fields, param) => {
    const refused = await upload({ input_reference: PNG, ...fields });
    expect([refused.status, errorOf(refused).param]).toEqual([400, param]);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });
});
