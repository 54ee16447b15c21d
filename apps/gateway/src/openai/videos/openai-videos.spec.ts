import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { unansweredRequestsRpc } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { videosRpc } from '@kinora/contracts/jobs/videos.rpc';
import { ADMISSION, JOB, fail } from '../../fixtures/contexts.fixtures';
import { GatewayTestBed } from '../../fixtures/gateway.fixtures';
import type { TestResponse } from '../../fixtures/http-client.fixtures';
import { greyPng, toDataUri } from '../../fixtures/image.fixtures';
import type { OpenAiErrorBody } from '../openai-error';
import type { OpenAiVideo } from './openai-video';

const VIDEOS = '/openai/v1/videos';
const KEY = 'unkeyed 0192f3a0-0000-7000-8000-0000000000ff';
const FILE = { object_key: 'outputs/spec/0.mp4', mime: 'video/mp4', bytes: 10 };
const QUEUED = {
  ...JOB,
  kind: 'video.generation',
  model: 'image-to-video',
  input: { prompt: 'to the left', model: 'image-to-video', images: [], size: '832x464', duration: 8, seed: 7 },
} as Job;
const RUNNING: Job = { ...QUEUED, status: 'processing' };
const DONE = {
  ...QUEUED,
  status: 'succeeded',
  completed_at: '2026-11-20T09:00:03.000Z',
  expires_at: '2026-11-27T09:00:03.000Z',
  output: { video: { url: 'http://gateway.test/files/0.mp4', mime: 'video/mp4' } },
} as Job;
const SHOWN: OpenAiVideo = {
  ...{ id: JOB.id, object: 'video', model: 'image-to-video', status: 'queued', progress: 0 },
  ...{ created_at: Date.parse(JOB.created_at) / 1_000, completed_at: null, expires_at: null },
  ...{ size: '832x464', seconds: '8', prompt: 'to the left', remixed_from_video_id: null, error: null },
};

const testBed = new GatewayTestBed();
const { contexts } = testBed;
const frame = toDataUri(greyPng(1280, 720));

beforeAll(async () => {
  await testBed.start();
  await testBed.gateway.objects.put(FILE.object_key, Buffer.from('0123456789'), { mime: 'video/mp4' });
});
afterAll(() => testBed.close());
beforeEach(() => {
  contexts.reset();
  contexts.on(catalogRpc.listModels, () => ({ object: 'list' as const, data: [] }));
  contexts.on(catalogRpc.listAliases, () => ({
    data: [{ alias: 'sora-2', operation: 'video.generation', model: 'image-to-video' }],
  }));
  contexts.on(unansweredRequestsRpc.open, () => ({ idempotency_key: KEY }));
  contexts.on(jobsRpc.findReplay, () => ({ job: null }));
  contexts.on(jobsRpc.quote, () => ({ price_micros: 1 }));
  contexts.on(jobsRpc.create, () => ({ job: QUEUED, replayed: false }));
  contexts.on(jobsRpc.get, () => QUEUED);
  contexts.on(jobsRpc.getProgress, () => ({ progress: 0.376 }) as JobProgress);
  contexts.on(jobsRpc.listOutputFiles, () => ({ files: [FILE] }));
});

const send = (method: string, path: string, options = {}): Promise<TestResponse> =>
  testBed.client.send(method, `${VIDEOS}${path}`, options);
const create = (json: object, headers = {}): Promise<TestResponse> => send('POST', '', { json, headers });
const errorOf = (response: TestResponse) => response.json<OpenAiErrorBody>().error;

describe('POST /videos', () => {
  it('creates the job by the use case of /v1, and answers at once', async () => {
    const body = { model: 'sora-2', prompt: 'to the left', seconds: '8', size: '1280x720', user: 'u', seed: 7 };
    const { status, headers, json } = await create({ ...body, input_reference: { image_url: frame } });
    expect([status, json()]).toEqual([200, SHOWN]);
    expect(headers).toMatchObject({ 'x-kinora-job-id': JOB.id, 'x-kinora-ignored': 'user' });
    const [opened] = contexts.of(unansweredRequestsRpc.open);
    expect(contexts.of(jobsRpc.create)).toMatchObject([
      {
        kind: 'video.generation',
        account_id: ADMISSION.account_id,
        input: { model: 'image-to-video', prompt: 'to the left', duration: 8, seed: 7 },
        wanted_size: '1280x720',
        images: [{ width: 1280, height: 720, mime: 'image/png' }],
        idempotency: { key: KEY, route: 'POST /openai/videos', body_sha256: opened?.body_sha256 },
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
    expect(contexts.of(unansweredRequestsRpc.open)).toMatchObject([{ is_retry: true }]);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('takes the key of a client that sends one', async () => {
    await create({ input_reference: { image_url: frame } }, { 'Idempotency-Key': 'mine' });
    expect(contexts.of(unansweredRequestsRpc.open)).toEqual([]);
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

describe('GET /videos/{id}', () => {
  it.each([
    ['queued', QUEUED, { status: 'queued', progress: 0, completed_at: null }],
    ['running', RUNNING, { status: 'in_progress', progress: 37, completed_at: null }],
    [
      'completed',
      DONE,
      {
        status: 'completed',
        progress: 100,
        completed_at: SHOWN.created_at + 3,
        expires_at: 1_795_770_003,
        error: null,
      },
    ],
    [
      'blocked',
      { ...QUEUED, status: 'failed', error: { code: 'content_blocked_output', message: 'Blocked.' } } as Job,
      { status: 'failed', error: { code: 'moderation_blocked', message: 'Blocked.' } },
    ],
    [
      'canceled',
      { ...QUEUED, status: 'canceled' } as Job,
      { status: 'failed', error: { code: 'job_canceled', message: 'The job was canceled.' } },
    ],
  ])('shows a %s video', async (_, job, shown) => {
    contexts.on(jobsRpc.get, () => job);
    expect((await send('GET', `/${JOB.id}`)).json()).toMatchObject({ ...SHOWN, ...shown });
  });

  it('never shows a video as done before it is', async () => {
    contexts.on(jobsRpc.get, () => RUNNING);
    contexts.on(jobsRpc.getProgress, () => ({ progress: 1 }) as JobProgress);
    expect((await send('GET', `/${JOB.id}`)).json()).toMatchObject({ status: 'in_progress', progress: 99 });
    contexts.on(jobsRpc.getProgress, () => ({ progress: null }) as JobProgress);
    expect((await send('GET', `/${JOB.id}`)).json()).toMatchObject({ status: 'in_progress', progress: 0 });
  });
});

describe('an id that is no video', () => {
  it.each([
    ['of an image job', JOB.id, () => JOB],
    ['of no job', JOB.id, fail('not_found', 'There is no such job.')],
    ['that is no UUID', 'video_123', () => DONE],
  ])('%s is 404 on every route', async (_, id, answer) => {
    contexts.on(jobsRpc.get, answer);
    const answers = [await send('GET', `/${id}`), await send('GET', `/${id}/content`), await send('DELETE', `/${id}`)];
    for (const response of answers) {
      expect(response.status).toBe(404);
      expect(errorOf(response)).toMatchObject({ code: 'not_found', message: 'There is no such video.', param: null });
    }
    expect(contexts.of(jobsRpc.deleteContent)).toEqual([]);
  });
});

describe('GET /videos', () => {
  it('lists videos with their progress, newest first', async () => {
    const other = { ...DONE, id: JOB.id.replace(/a$/, 'b') };
    contexts.on(videosRpc.list, () => ({ videos: [RUNNING, other], has_more: true }));
    const { status, json } = await send('GET', '');
    expect([status, json()]).toMatchObject([
      200,
      {
        ...{ object: 'list', first_id: JOB.id, last_id: other.id, has_more: true },
        data: [
          { id: JOB.id, progress: 37 },
          { id: other.id, progress: 100 },
        ],
      },
    ]);
    expect(contexts.of(videosRpc.list)).toEqual([{ account_id: ADMISSION.account_id, limit: 20, order: 'desc' }]);
  });

  it('reads the page that the client asks for', async () => {
    contexts.on(videosRpc.list, () => ({ videos: [], has_more: false }));
    const empty = await send('GET', `?limit=2&order=asc&after=${JOB.id.toUpperCase()}&api-version=preview`);
    expect(empty.json()).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false });
    expect(contexts.of(videosRpc.list)).toMatchObject([{ limit: 2, order: 'asc', after: JOB.id }]);
  });

  it.each(['limit=0', 'limit=101', 'order=newest', 'after=video_1', 'status=queued'])('refuses %s', async (query) => {
    const refused = await send('GET', `?${query}`);
    expect([refused.status, errorOf(refused).param]).toEqual([400, query.split('=')[0]]);
  });
});

describe('GET /videos/{id}/content', () => {
  const download = (query = '', headers = {}) => send('GET', `/${JOB.id}/content${query}`, { headers });
  beforeEach(() => contexts.on(jobsRpc.get, () => DONE));

  it('streams the file, and parts of it', async () => {
    const whole = await download('?variant=video', { Accept: 'application/binary' });
    expect([whole.status, whole.bytes.toString()]).toEqual([200, '0123456789']);
    expect(whole.headers).toMatchObject({ 'content-type': 'video/mp4', 'accept-ranges': 'bytes' });
    const part = await download('', { Range: 'bytes=2-4' });
    expect([part.status, part.bytes.toString(), part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await download('', { Range: 'bytes=10-' })).status).toBe(416);
  });

  it.each(['thumbnail', 'spritesheet'])('has no %s', async (variant) => {
    const refused = await download(`?variant=${variant}`);
    expect([refused.status, errorOf(refused).param]).toEqual([400, 'variant']);
  });

  it.each([
    ['is not completed', { ...RUNNING }, FILE],
    ['has failed', { ...QUEUED, status: 'failed' }, FILE],
    ['is deleted', { ...DONE, output: { video: { url: null, mime: 'video/mp4' } } }, FILE],
    ['is gone from the store', DONE, { ...FILE, object_key: 'outputs/spec/9.mp4' }],
  ])('is 404 for a video that %s', async (_, job, file) => {
    contexts.on(jobsRpc.get, () => job as Job);
    contexts.on(jobsRpc.listOutputFiles, () => ({ files: [file] }));
    const gone = await download();
    expect([gone.status, errorOf(gone).code]).toEqual([404, 'not_found']);
    expect(gone.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('DELETE /videos/{id}', () => {
  it('deletes the content of the job', async () => {
    contexts.on(jobsRpc.get, () => DONE);
    contexts.on(jobsRpc.deleteContent, () => DONE);
    const { status, json } = await send('DELETE', `/${JOB.id}`);
    expect([status, json()]).toEqual([200, { id: JOB.id, object: 'video.deleted', deleted: true }]);
    expect(contexts.of(jobsRpc.deleteContent)).toEqual([{ account_id: ADMISSION.account_id, job_id: JOB.id }]);
  });

  it('is refused while the video is in the making', async () => {
    contexts.on(jobsRpc.deleteContent, fail('job_in_flight', 'The job is in flight.'));
    const refused = await send('DELETE', `/${JOB.id}`);
    expect([refused.status, errorOf(refused).code]).toEqual([400, 'job_in_flight']);
  });
});

describe('routes for videos that do not exist here', () => {
  it.each([
    ['POST', `/${JOB.id}/remix`],
    ['POST', '/edits'],
    ['POST', '/extensions'],
    ['POST', '/characters'],
    ['GET', '/characters/1'],
  ])('%s %s is 404 with a sentence', async (method, path) => {
    const missing = await send(method, path);
    expect(missing.status).toBe(404);
    expect(errorOf(missing)).toMatchObject({ code: 'not_found', message: expect.stringMatching(/^There is no such/) });
  });
});
