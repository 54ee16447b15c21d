import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { waitFor } from '@kinora/testing';
import { DallEAPIWrapper } from '@langchain/openai';
import { generateImage } from 'ai';
import OpenAI from 'openai';
import { failureOf, OpenAiStack, sizeOf } from '../support/openai-stack';

describe('clients of OpenAI', () => {
  let stack: OpenAiStack;

  beforeAll(async () => {
    stack = await OpenAiStack.start();
  }, 120_000);
  afterAll(() => stack.stop());

  it('openai: lists models, makes images of the nearest size, and is told what they cost', async () => {
    const { openai } = await stack.open();
    const names = (await openai.models.list()).data.map(({ id }) => id);
    expect(names).toEqual(
      expect.arrayContaining(['general-image', 'image-edit', 'gpt-image-2', 'chatgpt-image-latest', 'dall-e-3']),
    );
    expect(await openai.models.retrieve('gpt-image-2-2026-04-21')).toMatchObject({ object: 'model' });
    const { data, response } = await openai.images
      .generate({
        ...{ model: 'gpt-image-2-2026-04-21', prompt: 'a lighthouse', n: 2, size: '1536x1024', quality: 'low' },
        // Newer releases of the package have these two.
        ...{ safety_identifier: 'one', complexity: 'low' },
      })
      .withResponse();
    expect(data.data).toHaveLength(2);
    expect(await sizeOf(data.data?.[1]?.b64_json)).toBe('png 1216x832');
    expect(response.headers.get('x-kinora-charged-usd')).toBe('0.04');
    expect(response.headers.get('x-kinora-ignored')).toBe('quality, safety_identifier, complexity');
  });

  it('openai: gets URLs, and streams the completed image', async () => {
    const { openai } = await stack.open();
    const { data } = await openai.images.generate({ model: 'fast-image', prompt: 'hills', response_format: 'url' });
    expect(Object.keys(data?.[0] ?? {})).toEqual(['url']);
    const picture = await fetch(data?.[0]?.url ?? '');
    expect(picture.status).toBe(200);
    await picture.body?.cancel();
    const events = [];
    for await (const event of await openai.images.generate({ model: 'fast-image', prompt: 'hills', stream: true }))
      events.push(event);
    expect(events.map(({ type }) => type)).toEqual(['image_generation.completed']);
    expect(await sizeOf(events[0]?.b64_json)).toBe('png 512x512');
  });

  it('openai: throws its own errors, and repeats none that cannot help', async () => {
    const { openai, accountId } = await stack.open();
    const failed = async (prompt: string, options = {}) =>
      failureOf(openai.images.generate({ model: 'fast-image', prompt, ...options }));
    expect(await failed('KINORA-MODERATION-TEST-BLOCK')).toBeInstanceOf(OpenAI.BadRequestError);
    expect(await failed('x', { n: 99 })).toMatchObject({ status: 400, param: 'n' });
    expect(await failed('x', { model: 'none' })).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await failed('[[output:blocked]]')).toMatchObject({ status: 400, code: 'moderation_blocked' });
    expect(await failed('[[fail:error]]')).toMatchObject({ status: 502, code: 'provider_error' });
    expect(await stack.jobsOf(accountId, 'failed')).toBe(2);
    const keyless = new OpenAI({ apiKey: 'knr_live_none', baseURL: openai.baseURL, maxRetries: 0 });
    await expect(keyless.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it('openai: an aborted call leaves its job, and the same call then gets it', async () => {
    const { openai, accountId } = await stack.open();
    const aborting = new AbortController();
    const body = { model: 'general-image', prompt: '[[delay:2s]] dunes', size: '512x512' } as const;
    const aborted = openai.images.generate(body, { signal: aborting.signal });
    await waitFor(async () => ((await stack.jobsInFlight(accountId)) === 1 ? true : null));
    aborting.abort();
    await expect(aborted).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    // The gateway notices the end of the connection a moment after the client has aborted.
    await waitFor(async () => {
      const { rows } = await stack.database.query("SELECT FROM jobs.unkeyed_request WHERE state = 'abandoned'");
      return rows.length > 0 ? true : null;
    });
    const { data } = await openai.images.generate(body);
    expect(await sizeOf(data?.[0]?.b64_json)).toBe('png 512x512');
    expect([await stack.jobsOf(accountId), await stack.jobsInFlight(accountId)]).toEqual([1, 0]);
  });

  it('openai: two equal calls at once are two jobs', async () => {
    const { openai, accountId } = await stack.open();
    const body = { model: 'fast-image', prompt: 'twins' };
    await Promise.all([openai.images.generate(body), openai.images.generate(body)]);
    expect(await stack.jobsOf(accountId)).toBe(2);
  });

  it.each([
    ['@ai-sdk/openai', 'gpt-image-1'],
    ['@ai-sdk/openai-compatible', 'fast-image'],
  ])('%s makes an image, and its repeat after a cut makes no second job', async (name, model) => {
    const { apiKey, baseURL, accountId } = await stack.open();
    const settings = { apiKey, baseURL };
    const provider = name === '@ai-sdk/openai' ? createOpenAI(settings) : createOpenAICompatible({ ...settings, name });
    let sent = 0;
    stack.cutIf(() => (sent += 1) === 1);
    const { image } = await generateImage({ model: provider.imageModel(model), prompt: 'a red boat', size: '512x512' });
    stack.cutIf(() => false);
    expect(await sizeOf(image.base64)).toBe('png 512x512');
    expect([sent, await stack.jobsOf(accountId), await stack.jobsInFlight(accountId)]).toEqual([2, 1, 0]);
  });

  it('@langchain/openai: makes an image as an address or in base64, and two with two equal calls', async () => {
    const { apiKey, baseURL, accountId } = await stack.open();
    const settings = { apiKey, baseUrl: baseURL };
    const address = (await new DallEAPIWrapper(settings).invoke('a pier')) as string;
    const picture = await fetch(address);
    expect(picture.headers.get('content-type')).toBe('image/png');
    // A body that is not read keeps its connection open.
    await picture.body?.cancel();
    const tool = new DallEAPIWrapper({ ...settings, model: 'fast-image', dallEResponseFormat: 'b64_json' });
    expect(await sizeOf((await tool.invoke('a pier')) as string)).toBe('png 512x512');
    const twice = (await new DallEAPIWrapper({ ...settings, n: 2 }).invoke('two piers')) as { image_url: string }[];
    expect(new Set(twice.map(({ image_url }) => image_url)).size).toBe(2);
    expect([await stack.jobsOf(accountId), await stack.jobsInFlight(accountId)]).toEqual([4, 0]);
  });
});
