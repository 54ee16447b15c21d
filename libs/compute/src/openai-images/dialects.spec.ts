import { IMAGE } from '../conformance/files.fixtures';
import { withAgeSafetyTerms } from '../instance-definition';
import type { ImageTask, ProviderTask, TaskLora, VideoTask } from '../compute-provider.port';
import { type Dialect, OpenAiImagesSettings, type Work } from './openai-images-settings';
import { DIALECT_BY_NAME } from './dialects';

const { 'vllm-omni': vllmOmniDialect, sglang: sglangDialect, localai: localAiDialect } = DIALECT_BY_NAME;
const TERMS = withAgeSafetyTerms(undefined);

const ANY = {
  id: 'x-1',
  model: 'catalog-model',
  prompt: 'a fox',
  negativePrompt: withAgeSafetyTerms('fog | rain'),
  width: 640,
  height: 480,
  seed: 0,
  loras: [],
};
const IMAGE_TASK: ImageTask = { ...ANY, operation: 'image.generation', n: 2, steps: 30, images: [] };
const EDIT_TASK: ImageTask = { ...ANY, operation: 'image.edit', n: 1, images: [IMAGE, IMAGE] };
const VIDEO_TASK: VideoTask = {
  ...ANY,
  operation: 'video.generation',
  durationSeconds: 5,
  fps: 16,
  images: [IMAGE],
};

function settings(parts: Partial<OpenAiImagesSettings> = {}): OpenAiImagesSettings {
  return Object.assign(new OpenAiImagesSettings(), parts);
}

function unsupported(dialect: Dialect, task: ProviderTask, some = settings()): string | null {
  return dialect.findUnsupported({ ...task, imageCount: task.images.length }, some);
}

/** The received fields; absent fields are missing in it. */
async function sent(work: Work): Promise<object> {
  if ('json' in work) return JSON.parse(JSON.stringify(work.json)) as object;
  const { contentType, body } = work.form;
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  const entries = [...form.entries()];
  return {
    files: entries.flatMap(([name, value]) => (value instanceof File ? [[name, value.type]] : [])),
    ...Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')),
  };
}

describe('the dialect of vLLM-Omni', () => {
  const lora: TaskLora = { id: 'ink', strength: 0.8 };

  it('requests images', async () => {
    const work = vllmOmniDialect.toWork({ ...IMAGE_TASK, guidance: 4 }, settings());
    expect(work).toMatchObject({ path: '/v1/images/generations', answersWith: 'result' });
    expect(await sent(work)).toEqual({
      prompt: 'a fox',
      negative_prompt: ANY.negativePrompt,
      size: '640x480',
      seed: 0,
      n: 2,
      num_inference_steps: 30,
      guidance_scale: 4,
      output_format: 'png',
      response_format: 'b64_json',
    });
  });

  it('requests an edit with a form, each image a part', async () => {
    const work = vllmOmniDialect.toWork(EDIT_TASK, settings());
    expect(work.path).toBe('/v1/images/edits');
    expect(await sent(work)).toMatchObject({
      files: [
        ['image', 'image/png'],
        ['image', 'image/png'],
      ],
      size: '640x480',
      seed: '0',
      negative_prompt: ANY.negativePrompt,
    });
  });

  it('requests a video with a form of frames and speed, with the extra frame of the model', async () => {
    const work = vllmOmniDialect.toWork(VIDEO_TASK, settings({ extra_frame: true }));
    expect(work).toMatchObject({ path: '/v1/videos', answersWith: 'video_job' });
    expect(await sent(work)).toMatchObject({
      files: [['input_reference', 'image/png']],
      num_frames: '81',
      fps: '16',
      seconds: '5',
      size: '640x480',
      seed: '0',
      negative_prompt: ANY.negativePrompt,
    });
  });

  it('uses the guidance field of the settings, and the model of the route', async () => {
    const task = { ...IMAGE_TASK, guidance: 4, template: 'Qwen/Qwen-Image' };
    const work = vllmOmniDialect.toWork(task, settings({ guidance_field: 'true_cfg_scale' }));
    expect(await sent(work)).toMatchObject({ true_cfg_scale: 4, model: 'Qwen/Qwen-Image' });
    expect(await sent(work)).not.toHaveProperty('guidance_scale');
  });

  it('takes one LoRA of the catalog from the server’s folder', async () => {
    const some = settings({ lora_dir: '/loras' });
    const task = { ...IMAGE_TASK, loras: [lora] };
    expect(unsupported(vllmOmniDialect, task, some)).toBeNull();
    expect(await sent(vllmOmniDialect.toWork(task, some))).toMatchObject({
      lora: { name: 'ink', path: '/loras/ink', scale: 0.8, int_id: expect.any(Number) as number },
    });
  });

  it.each<[string, TaskLora[], string | undefined]>([
    ['a LoRA without a folder for it', [lora], undefined],
    ['a LoRA by its URL', [{ url: 'https://example.com/x.safetensors', strength: 1 }], '/loras'],
    ['two LoRAs', [lora, lora], '/loras'],
    ['a pair for high and low noise', [{ ...lora, low_url: 'https://example.com/low.safetensors' }], '/loras'],
  ])('cannot take %s', (_, loras, dir) => {
    const some = settings(dir === undefined ? {} : { lora_dir: dir });
    expect(unsupported(vllmOmniDialect, { ...IMAGE_TASK, loras }, some)).toMatch(/LoRA/);
  });

  it.each([{ n: 11 }, { steps: 201 }, { guidance: 21 }])('cannot take %j', (parts) => {
    expect(unsupported(vllmOmniDialect, { ...IMAGE_TASK, ...parts })).toMatch(/at most/);
  });
});

describe('the dialect of SGLang', () => {
  it('always sends the seed, since the default seed is constant', async () => {
    for (const task of [IMAGE_TASK, EDIT_TASK, VIDEO_TASK])
      expect(Number(((await sent(sglangDialect.toWork(task, settings()))) as { seed?: unknown }).seed)).toBe(0);
  });

  it('refuses LoRAs, which would affect the images of other jobs', () => {
    expect(unsupported(sglangDialect, { ...IMAGE_TASK, loras: [{ id: 'ink', strength: 1 }] })).toMatch(/all of its/);
  });
});

describe('the dialect of LocalAI', () => {
  it('appends the negative prompt to the prompt, the age-safety terms first, without further separators', async () => {
    const work = localAiDialect.toWork(IMAGE_TASK, settings());
    expect(await sent(work)).toEqual({
      model: 'catalog-model',
      prompt: `a fox|${TERMS}, fog   rain`,
      size: '640x480',
      n: 2,
      seed: 0,
      step: 30,
      response_format: 'b64_json',
    });
    const alone = localAiDialect.toWork({ ...IMAGE_TASK, negativePrompt: TERMS }, settings());
    expect(await sent(alone)).toMatchObject({ prompt: `a fox|${TERMS}` });
  });

  it('sends images as bare base64', async () => {
    const bare = IMAGE.toString('base64');
    expect(await sent(localAiDialect.toWork(EDIT_TASK, settings()))).toMatchObject({ ref_images: [bare, bare] });
    const video = await sent(localAiDialect.toWork(VIDEO_TASK, settings()));
    expect(video).toMatchObject({
      prompt: 'a fox',
      negative_prompt: ANY.negativePrompt,
      start_image: bare,
      width: 640,
      height: 480,
      num_frames: 80,
      fps: 16,
      seed: 0,
    });
  });

  it('refuses an image prompt that it would cut, a guidance and a LoRA', () => {
    expect(unsupported(localAiDialect, IMAGE_TASK)).toBeNull();
    expect(unsupported(localAiDialect, { ...IMAGE_TASK, prompt: 'a | b' })).toMatch(/cut/);
    expect(unsupported(localAiDialect, { ...VIDEO_TASK, prompt: 'a | b' })).toBeNull();
    expect(unsupported(localAiDialect, { ...IMAGE_TASK, guidance: 4 })).toMatch(/guidance/);
    expect(unsupported(localAiDialect, { ...IMAGE_TASK, loras: [{ id: 'ink', strength: 1 }] })).toMatch(/LoRA/);
  });
});
