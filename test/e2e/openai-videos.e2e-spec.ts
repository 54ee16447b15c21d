import { waitFor } from '@kinora/testing';
import OpenAI, { toFile } from 'openai';
import type { Video, VideoCreateParams } from 'openai/resources/videos';
import sharp from 'sharp';
import { runDocumentedProgram } from '../support/guide-steps';
import { failureOf, type OpenAiAccount, OpenAiStack } from '../support/openai-stack';
import { verifyLedger } from '../support/operator';
import { readOpenAiReference, schemaCompiler } from '../support/published-reference';
import { probeVideo } from '../support/video-probe';

const CALLS = 12;
const AT_ONCE = 4;
/** The price of a video of five seconds. */
const PRICE_MICROS = 250_000;

const compile = schemaCompiler(readOpenAiReference());
const problemsOf = (name: string, value: unknown): unknown => {
  const validate = compile({ $ref: `#/components/schemas/${name}` });
  return validate(value) ? null : validate.errors;
};

/** Small, so that it is animated in a second or two. Each has its own colour. */
const photo = (shade: number): Promise<Buffer> =>
  sharp({ create: { width: 160, height: 96, channels: 3, background: { r: shade, g: 90, b: 40 } } })
    .png()
    .toBuffer();
const toPhoto = async (shade: number) => toFile(await photo(shade), 'photo.png', { type: 'image/png' });

describe('videos of clients of OpenAI', () => {
  let stack: OpenAiStack;

  beforeAll(async () => {
    stack = await OpenAiStack.start();
  }, 120_000);
  afterAll(() => stack.stop());

  const create = async ({ openai }: OpenAiAccount, shade: number, more: Partial<VideoCreateParams> = {}) =>
    openai.videos.create({ prompt: 'slowly to the left', input_reference: await toPhoto(shade), ...more });

  /** Polls as the clients do. @returns every state that was seen, the last one ended. */
  async function statesOf({ openai }: OpenAiAccount, id: string): Promise<Video[]> {
    const states: Video[] = [];
    await waitFor(
      async () => {
        const video = await openai.videos.retrieve(id);
        expect(problemsOf('OpenAiVideo', video)).toBeNull();
        states.push(video);
        return video.status === 'completed' || video.status === 'failed' ? true : null;
      },
      { timeoutMs: 90_000 },
    );
    return states;
  }
  const ended = async (account: OpenAiAccount, id: string) => (await statesOf(account, id)).at(-1);

  it('openai: creates a video, follows it, downloads it and deletes it', async () => {
    const account = await stack.open();
    const { openai, accountId } = account;
    const { data: created, response } = await openai.videos
      .create({
        model: 'sora-2-2025-12-08',
        prompt: 'slowly to the left',
        input_reference: await toPhoto(1),
        size: '160x96' as '1280x720',
      })
      .withResponse();
    expect(problemsOf('OpenAiVideo', created)).toBeNull();
    expect(created).toMatchObject({
      object: 'video',
      model: 'image-to-video',
      seconds: '5',
      size: '160x96',
      error: null,
    });
    expect(response.headers.get('x-kinora-job-id')).toBe(created.id);
    expect(response.headers.get('x-kinora-charged-usd')).toBe('0.25');

    const states = await statesOf(account, created.id);
    expect(states.at(-1)).toMatchObject({ status: 'completed', progress: 100, prompt: 'slowly to the left' });
    const progress = states.map((video) => video.progress);
    expect(progress).toEqual([...progress].sort((one, other) => one - other));

    const content = await openai.videos.downloadContent(created.id);
    const bytes = Buffer.from(await content.arrayBuffer());
    expect(content.headers.get('content-type')).toBe('video/mp4');
    expect(await probeVideo(bytes)).toMatchObject({ width: 160, height: 96, duration: 5 });
    const part = await openai.videos.downloadContent(created.id, {}, { headers: { Range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'ftyp']);

    expect(await openai.videos.delete(created.id)).toEqual({ id: created.id, object: 'video.deleted', deleted: true });
    expect(await failureOf(openai.videos.downloadContent(created.id))).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await failureOf(openai.videos.retrieve(created.id))).toBeInstanceOf(OpenAI.NotFoundError);
    expect((await openai.videos.list()).data).toEqual([]);
    expect(await openai.videos.delete(created.id)).toMatchObject({ deleted: true });
    expect(await stack.jobsOf(accountId)).toBe(1);
  });

  it('openai: takes the start frame as a data URI, in a form and as JSON', async () => {
    const account = await stack.open();
    const image_url = `data:image/png;base64,${(await photo(2)).toString('base64')}`;
    const byForm = await create(account, 2, { input_reference: { image_url }, seconds: '8' });
    expect(byForm).toMatchObject({ seconds: '8', size: '160x96' });
    const answer = await fetch(`${account.baseURL}/videos`, {
      method: 'POST',
      headers: { 'api-key': account.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ input_reference: { image_url }, seconds: 5, user: 'u' }),
    });
    expect([answer.status, answer.headers.get('x-kinora-ignored')]).toEqual([200, 'user']);
    const byJson = (await answer.json()) as Video;
    expect(problemsOf('OpenAiVideo', byJson)).toBeNull();
    for (const { id } of [byForm, byJson]) expect(await ended(account, id)).toMatchObject({ status: 'completed' });
  });

  it('openai: lists the videos of the account in pages, in both orders', async () => {
    const account = await stack.open();
    const { openai } = account;
    const ids: string[] = [];
    for (const shade of [1, 2, 3]) ids.push((await create(account, shade)).id);
    await openai.images.generate({ model: 'fast-image', prompt: 'no video' });
    const first = await openai.videos.list({ limit: 2 });
    const { data, has_more, last_id } = first;
    expect([data.map(({ id }) => id), has_more, last_id]).toEqual([[ids[2], ids[1]], true, ids[1]]);
    const listed = async (order: 'asc' | 'desc'): Promise<string[]> => {
      const seen: string[] = [];
      for await (const video of openai.videos.list({ limit: 2, order })) seen.push(video.id);
      return seen;
    };
    expect(await listed('desc')).toEqual([...ids].reverse());
    expect(await listed('asc')).toEqual(ids);
    const page = await fetch(`${account.baseURL}/videos`, { headers: { Authorization: `Bearer ${account.apiKey}` } });
    expect(problemsOf('OpenAiVideoList', await page.json())).toBeNull();
    const stranger = await stack.open();
    expect((await stranger.openai.videos.list()).data).toEqual([]);
    expect(await failureOf(stranger.openai.videos.retrieve(ids[0] ?? ''))).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await failureOf(stranger.openai.videos.delete(ids[0] ?? ''))).toBeInstanceOf(OpenAI.NotFoundError);
    for (const id of ids) await ended(account, id);
  });

  it('openai: throws its own errors, which name the field', async () => {
    const account = await stack.open();
    const { openai, accountId } = account;
    const refused = async (more: object) => failureOf(create(account, 1, more));
    expect(await refused({ input_reference: undefined })).toMatchObject({ status: 400, param: 'input_reference' });
    expect(await refused({ seconds: '4' })).toMatchObject({ status: 400, param: 'seconds' });
    expect(await refused({ size: '720x1280' })).toMatchObject({ status: 400, param: 'size' });
    expect(await refused({ model: 'general-image' })).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await refused({ prompt: 'KINORA-MODERATION-TEST-BLOCK' })).toMatchObject({ code: 'moderation_blocked' });
    expect(await stack.jobsOf(accountId)).toBe(0);
    const { response } = await openai.images.generate({ model: 'fast-image', prompt: 'x' }).withResponse();
    const imageId = response.headers.get('x-kinora-job-id') ?? '';
    expect(await failureOf(openai.videos.retrieve(imageId))).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await failureOf(openai.videos.remix(imageId, { prompt: 'x' }))).toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('openai: sees why a video failed, and cannot delete or download one in the making', async () => {
    const account = await stack.open();
    const { openai } = account;
    const slow = await create(account, 1, { prompt: '[[delay:5s]] slowly' });
    expect(await failureOf(openai.videos.delete(slow.id))).toMatchObject({ status: 400, code: 'job_in_flight' });
    expect(await failureOf(openai.videos.downloadContent(slow.id))).toBeInstanceOf(OpenAI.NotFoundError);
    const variant = openai.videos.downloadContent(slow.id, { variant: 'thumbnail' });
    expect(await failureOf(variant)).toMatchObject({ status: 400, param: 'variant' });
    const failing = await create(account, 2, { prompt: '[[fail:error]]' });
    expect(await ended(account, failing.id)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } });
    expect(await ended(account, slow.id)).toMatchObject({ status: 'completed' });
  });

  it(`openai: ${CALLS} calls whose first connections are cut after the request make ${CALLS} jobs, paid once each`, async () => {
    const account = await stack.open();
    const before = await account.client.balanceMicros();
    stack.proxy.cutCount = 0;
    stack.cutIf((headers) => headers['x-stainless-retry-count'] === '0');
    const shades = Array.from({ length: CALLS }, (_, place) => place);
    const ids = new Set<string>();
    const work = async (): Promise<void> => {
      for (let shade = shades.shift(); shade !== undefined; shade = shades.shift())
        ids.add((await create(account, shade)).id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    stack.cutIf(() => false);
    expect([stack.proxy.cutCount, ids.size]).toEqual([CALLS, CALLS]);
    for (const id of ids) expect(await ended(account, id)).toMatchObject({ status: 'completed' });
    expect([await stack.jobsOf(account.accountId), await stack.jobsInFlight(account.accountId)]).toEqual([CALLS, 0]);
    await waitFor(async () => before - (await account.client.balanceMicros()) === CALLS * PRICE_MICROS || null);
    expect(await verifyLedger(stack.stack)).toEqual({ ok: true, violations: [] });
  }, 300_000);

  it('runs the program of the documentation', async () => {
    const { apiKey, baseURL } = await stack.open();
    const bytes = await runDocumentedProgram({
      page: 'docs/openai.md',
      program: 'video.mjs',
      files: { 'photo.png': await photo(1) },
      env: { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL },
      output: 'video.mp4',
    });
    expect(await probeVideo(bytes)).toMatchObject({ width: 160, height: 96, duration: 5 });
  });
});
