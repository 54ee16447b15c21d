import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateImage } from 'ai';
import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import { runDocumentedProgram } from '../support/guide-steps';
import { failureOf, OpenAiStack, sizeOf } from '../support/openai-stack';

/** Each has its own colour, so each makes another edit. */
const photo = (shade: number): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 256, channels: 3, background: { r: shade, g: 90, b: 40 } } })
    .png()
    .toBuffer();

describe('edits of clients of OpenAI', () => {
  let stack: OpenAiStack;

  beforeAll(async () => {
    stack = await OpenAiStack.start();
  }, 120_000);
  afterAll(() => stack.stop());

  const toPhoto = async (shade: number) => toFile(await photo(shade), 'photo.png', { type: 'image/png' });

  it('openai: edits one image, and is told what it costs and which fields change nothing', async () => {
    const { openai, accountId } = await stack.open();
    const { data, response } = await openai.images
      .edit({
        model: 'chatgpt-image-latest',
        image: await toPhoto(1),
        prompt: 'make it warm',
        n: 1,
        quality: 'high',
        size: 'auto',
      })
      .withResponse();
    expect(await sizeOf(data.data?.[0]?.b64_json)).toBe('png 320x256');
    expect(response.headers.get('x-kinora-charged-usd')).toBe('0.03');
    expect(response.headers.get('x-kinora-ignored')).toBe('quality');
    expect(await stack.jobsOf(accountId)).toBe(1);
  });

  it('openai: edits three images in another size and format', async () => {
    const { openai } = await stack.open();
    const image = await Promise.all([1, 2, 3].map(toPhoto));
    const { data, size } = await openai.images.edit({
      ...{ image, prompt: 'side by side', size: '1024x1024', output_format: 'webp' },
    });
    expect([await sizeOf(data?.[0]?.b64_json), size]).toEqual(['webp 1024x1024', '1024x1024']);
  });

  it('openai: throws its own errors, which name the field', async () => {
    const { openai, accountId } = await stack.open();
    const failed = async (fields: object) =>
      failureOf(openai.images.edit({ image: await toPhoto(1), prompt: 'x', ...fields }));
    expect(await failed({ mask: await toPhoto(2) })).toMatchObject({ status: 400, param: 'mask' });
    expect(await failed({ image: await toFile(Buffer.from('no image'), 'a.png') })).toMatchObject({ param: 'image' });
    expect(await failed({ image: await Promise.all([1, 2, 3, 4].map(toPhoto)) })).toMatchObject({ param: 'image' });
    expect(await failed({ n: 2 })).toMatchObject({ status: 400, param: 'n' });
    expect(await failed({ model: 'general-image' })).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await failed({ prompt: 'KINORA-MODERATION-TEST-BLOCK' })).toMatchObject({ code: 'moderation_blocked' });
    expect(await stack.jobsOf(accountId)).toBe(0);
  });

  it.each([
    ['@ai-sdk/openai', 'gpt-image-1'],
    ['@ai-sdk/openai-compatible', 'image-edit'],
  ])('%s edits one and two images, and its repeat after a cut makes no second job', async (name, model) => {
    const { apiKey, baseURL, accountId } = await stack.open();
    const settings = { apiKey, baseURL };
    const provider = name === '@ai-sdk/openai' ? createOpenAI(settings) : createOpenAICompatible({ ...settings, name });
    const edit = async (images: Buffer[]) =>
      sizeOf(
        (await generateImage({ model: provider.imageModel(model), prompt: { text: 'warm', images } })).image.base64,
      );
    expect(await edit([await photo(1), await photo(2)])).toBe('png 320x256');
    let sent = 0;
    stack.cutIf(() => (sent += 1) === 1);
    expect(await edit([await photo(3)])).toBe('png 320x256');
    stack.cutIf(() => false);
    expect([sent, await stack.jobsOf(accountId), await stack.jobsInFlight(accountId)]).toEqual([2, 2, 0]);
  });

  it('runs the program of the documentation', async () => {
    const { apiKey, baseURL } = await stack.open();
    const edited = await runDocumentedProgram({
      page: 'docs/openai.md',
      program: 'edit.mjs',
      files: { 'photo.png': await photo(1) },
      env: { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL },
      output: 'edited.png',
    });
    expect(await sizeOf(edited.toString('base64'))).toBe('png 320x256');
  });
});
