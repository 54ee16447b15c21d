import { createKinora } from '@kinora/ai-sdk-provider';
import { JobPendingError } from '@kinora/client';
import { waitFor } from '@kinora/testing';
import { experimental_generateVideo as generateVideo, generateImage } from 'ai';
import sharp from 'sharp';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

describe('the provider for the AI SDK', () => {
  let stack: LocalStack;
  let kinora: ReturnType<typeof createKinora>;
  const requested: string[] = [];

  beforeAll(async () => {
    stack = await LocalStack.shared();
    const { apiKey } = await openAccount(stack);
    const recording: typeof fetch = (input, init) => {
      requested.push(new Request(input, init).url);
      return fetch(input, init);
    };
    kinora = createKinora({ apiKey, baseURL: (await stack.describe()).base_url, fetch: recording });
  }, 120_000);
  afterAll(() => stack.stop());

  it('makes images with seed and aspect ratio, and tells the job and its price', async () => {
    const { images, providerMetadata } = await generateImage({
      model: kinora.image('fast-image'),
      prompt: 'a lake',
      n: 2,
      seed: 7,
      aspectRatio: '16:9',
      providerOptions: { kinora: { negative_prompt: 'boats', output_format: 'webp' } },
    });
    const facts = providerMetadata.kinora?.images as unknown as Facts[];
    const job = await kinora.client.jobs.get(facts[0]?.job_id ?? '');
    expect(job).toMatchObject({ input: { seed: 7, negative_prompt: expect.stringContaining('boats') as string } });
    expect(facts.map(({ charged_usd }) => charged_usd * 2)).toEqual([job.usage.charged_usd, job.usage.charged_usd]);
    expect(facts.map(({ seed }) => seed)).toEqual([7, 8]);
    for (const [index, { uint8Array }] of images.entries()) {
      const { width, height, format } = await sharp(uint8Array).metadata();
      expect({ width, height, format }).toMatchObject({ ...sizeOf(facts[index]), format: 'webp' });
      expect((width ?? 0) / (height ?? 1)).toBeCloseTo(16 / 9, 1);
    }
  });

  it('edits images, makes videos, and refuses a mask', async () => {
    const { image } = await generateImage({ model: kinora.image('fast-image'), prompt: 'a boat', size: '512x512' });
    const prompt = { text: 'at night', images: [image.uint8Array] };
    const edited = await generateImage({ model: kinora.image('image-edit'), prompt });
    expect(edited.images).toHaveLength(1);
    const masked = generateImage({ model: kinora.image('image-edit'), prompt: { ...prompt, mask: image.uint8Array } });
    await expect(masked).rejects.toThrow('a mask');

    const { video } = await generateVideo({
      model: kinora.video('image-to-video'),
      prompt: { image: image.uint8Array, text: 'waves' },
    });
    expect(video.mediaType).toBe('video/mp4');
    expect(Buffer.from(video.uint8Array).subarray(4, 8).toString()).toBe('ftyp');
  });

  it('never loses a job: a call that is aborted tells its id, and its wait goes on', async () => {
    const abort = new AbortController();
    requested.length = 0;
    const generated = generateImage({
      model: kinora.image('general-image'),
      prompt: '[[delay:8s]] a lake',
      abortSignal: abort.signal,
      providerOptions: { kinora: { idempotencyKey: 'spec-1' } },
    });
    const failure = generated.catch((error: unknown) => error);
    // The answer of the creation has then been read, so that the abort ends the wait.
    await waitFor(() => requested.some((url) => url.endsWith('/events')));
    abort.abort();
    const error = await failure;
    if (!(error instanceof JobPendingError)) throw error;
    expect(error.idempotencyKey).toBe('spec-1');
    expect(await error.resume()).toMatchObject({ id: error.jobId, status: 'succeeded' });
  });
});

interface Facts {
  job_id: string;
  charged_usd: number;
  seed: number;
  width: number;
  height: number;
}

function sizeOf(facts: Facts | undefined): { width: number; height: number } {
  if (!facts) throw new Error('The image has no facts.');
  return { width: facts.width, height: facts.height };
}
