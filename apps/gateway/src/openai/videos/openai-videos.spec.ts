import type { Job } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { videosRpc } from '@kinora/contracts/jobs/videos.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ADMISSION, JOB, fail } from '../../../test/contexts.fixtures';
import { useGateway } from '../../../test/gateway.fixtures';
import type { TestResponse } from '../../../test/http-client.fixtures';
import { DONE, FILE, QUEUED, RUNNING, SHOWN, VIDEOS, answerVideos } from '../../../test/videos.fixtures';
import type { OpenAiErrorBody } from '../openai-error';

const testBed = useGateway();
const { contexts } = testBed;

beforeAll(async () => {
  await testBed.gateway.objects.put(FILE.object_key, Buffer.from('0123456789'), { mime: 'video/mp4' });
});
beforeEach(() => answerVideos(contexts));

const send = (method: string, path: string, options = {}): Promise<TestResponse> =>
  testBed.client.send(method, `${VIDEOS}${path}`, options);
const errorOf = (response: TestResponse) => response.json<OpenAiErrorBody>().error;

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
      { ...QUEUED, status: 'failed', error: { code: 'content_blocked_output', message: 'Blocked.' } },
      { status: 'failed', error: { code: 'moderation_blocked', message: 'Blocked.' } },
    ],
    [
      'canceled',
      { ...QUEUED, status: 'canceled' },
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
  it('finds a deleted video no more, except to complete a deletion that has failed', async () => {
    contexts.on(jobsRpc.get, ({ unless_content_deleted: unlessDeleted }) => {
      if (unlessDeleted) throw new ApiError('not_found', 'There is no such job.');
      return DONE;
    });
    contexts.on(jobsRpc.deleteContent, () => DONE);
    const reads = [await send('GET', `/${JOB.id}`), await send('GET', `/${JOB.id}/content`)];
    expect(reads.map((read) => [read.status, errorOf(read).message])).toEqual(
      Array(2).fill([404, 'There is no such video.']),
    );
    expect((await send('DELETE', `/${JOB.id}`)).status).toBe(200);
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
