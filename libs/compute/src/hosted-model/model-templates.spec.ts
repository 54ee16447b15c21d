import path from 'node:path';
import { withAgeSafetyTerms } from '../instance-definition';
import type { ImageTask, ProviderTask, TaskLora, VideoTask } from '../compute-provider.port';
import { ModelTemplates } from './model-templates';
import { TemplatesFolder } from './received-input.fixtures';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const LORA: TaskLora = { url: 'https://a.example/high.safetensors', strength: 0.8 };
const PAIR: TaskLora = { ...LORA, low_url: 'https://a.example/low.safetensors' };

const TEMPLATE = `
model: someone/something
operations: [image.generation]
fields: { prompt: prompt, negative_prompt: negative, seed: seed, width: size.width, height: size.height, n: n }
loras: { list: { field: loras, url: path, strength: scale, expert: transformer } }
fixed: { size: { unit: px }, format: png }
`;
const VIDEO = `
operations: [video.generation]
fields: { prompt: prompt, negative_prompt: negative, seed: none, image: image, frames_plus_one: frames, duration_text: length }
sizes: { 832x480: { resolution: 480p } }
loras: { slots: [{ url: high, strength: high_scale, low_url: low, low_strength: low_scale }] }
`;

describe('templates of hosted models', () => {
  let folder: TemplatesFolder;

  beforeAll(async () => {
    folder = await TemplatesFolder.create('cog');
  });
  afterAll(() => folder.remove());

  async function read(text: string): Promise<ModelTemplates> {
    await folder.write('cog/it.yaml', text);
    return ModelTemplates.read(folder.path, 'cog', () => null);
  }

  const BASE = {
    id: '0192f3a0-0000-7000-8000-00000000000a-1',
    model: 'm',
    template: 'it',
    prompt: 'a "calm" sea | 🌊\nand 2',
    negativePrompt: withAgeSafetyTerms('fog'),
    width: 832,
    height: 480,
    seed: 7,
    loras: [],
    images: [],
  };
  const image = (parts: Partial<ImageTask> = {}): ImageTask => ({
    ...BASE,
    operation: 'image.generation',
    n: 1,
    ...parts,
  });
  const video = (parts: Partial<VideoTask> = {}): VideoTask => ({
    ...BASE,
    operation: 'video.generation',
    durationSeconds: 5,
    fps: 16,
    images: [PNG],
    ...parts,
  });

  function unsupported(templates: ModelTemplates, { images, ...task }: ProviderTask): string | null {
    return templates.findUnsupported({ ...task, imageCount: images.length });
  }

  it('maps each part of a task to its field, beside the fixed fields', async () => {
    const templates = await read(TEMPLATE);
    const input = { size: { unit: 'px', width: 832, height: 480 }, format: 'png', seed: 7, n: 2 };
    expect(templates.prepare(image({ n: 2 }), 1_000)).toEqual({
      model: 'someone/something',
      input: { ...input, prompt: BASE.prompt, negative: BASE.negativePrompt },
    });
  });

  it('names both experts of a LoRA, or one entry for both', async () => {
    const call = (await read(TEMPLATE)).prepare(image({ loras: [LORA, PAIR] }), 1_000);
    expect(call).toMatchObject({
      input: {
        loras: [
          { path: LORA.url, scale: 0.8, transformer: 'both' },
          { path: PAIR.url, scale: 0.8, transformer: 'high' },
          { path: PAIR.low_url, scale: 0.8, transformer: 'low' },
        ],
      },
    });
  });

  it('counts frames, sends the image as a data URL and gives both experts the single file', async () => {
    const call = (await read(VIDEO)).prepare(video({ loras: [LORA] }), 1_000);
    expect(call).toMatchObject({
      model: '',
      input: {
        prompt: BASE.prompt,
        negative: BASE.negativePrompt,
        image: `data:image/png;base64,${PNG.toString('base64')}`,
        frames: 81,
        length: '5',
        resolution: '480p',
        high: LORA.url,
        high_scale: 0.8,
        low: LORA.url,
        low_scale: 0.8,
      },
    });
  });

  it.each<[string, string, ProviderTask]>([
    ['another operation', TEMPLATE, video()],
    ['a size that it does not list', VIDEO, video({ width: 480, height: 832 })],
    ['an image that it has no place for', TEMPLATE, image({ images: [PNG] })],
    ['two images where it takes one', VIDEO, video({ images: [PNG, PNG] })],
    ['steps that it has no place for', TEMPLATE, image({ steps: 20 })],
    ['guidance that it has no place for', TEMPLATE, image({ guidance: 5 })],
    ['several images, without a field for their number', TEMPLATE.replace(', n: n', ''), image({ n: 2 })],
    ['a duration that it does not support', `${VIDEO}durations: [5]\n`, video({ durationSeconds: 8 })],
    ['LoRAs that it has no place for', TEMPLATE.replace(/loras:.*\n/, ''), image({ loras: [LORA] })],
    ['more LoRAs than it has places for', VIDEO, video({ loras: [LORA, LORA] })],
    ['a LoRA that has no URL', TEMPLATE, image({ loras: [{ id: 'woodcut', strength: 1 }] })],
    ['a pair of files, for a single expert', TEMPLATE.replace(', expert: transformer', ''), image({ loras: [PAIR] })],
    ['a task of a template that does not exist', TEMPLATE, image({ template: 'other' })],
  ])('is not sent %s', async (_name, text, task) => {
    const templates = await read(text);
    expect(unsupported(templates, task)).toMatch(/\w+ \w+/);
    expect(templates.prepare(task, 1_000)).toMatchObject({ kind: 'failed', failure: { kind: 'invalid_input' } });
  });

  it("drops only the age-safety terms where the operator declares no field, and never a client's negative prompt", async () => {
    const templates = await read(TEMPLATE.replace('negative_prompt: negative', 'negative_prompt: none'));
    expect(unsupported(templates, image({ negativePrompt: withAgeSafetyTerms(undefined) }))).toBeNull();
    expect(unsupported(templates, image())).toBe('the model takes no negative prompt');
  });

  it.each([
    [TEMPLATE.replace('prompt: prompt, ', ''), /:4: fields: must say where the prompt goes$/],
    [
      TEMPLATE.replace('negative_prompt: negative, ', ''),
      /:4: fields: must say where the negative_prompt goes, or none/,
    ],
    [TEMPLATE.replace('seed: seed, ', ''), /:4: fields: must say where the seed goes, or none/],
    [TEMPLATE.replace('n: n', 'cfg: n'), /:4: fields\.cfg: is not a part of a task$/],
    [TEMPLATE.replace('n: n', 'n: 4'), /:4: fields\.n: must name a field/],
    [TEMPLATE.replace('n: n', 'n: none'), /:4: fields\.n: must name a field/],
    [TEMPLATE.replace('n: n', 'n: seed'), /:4: fields\.n: is sent in seed like another part$/],
    [TEMPLATE.replace('width: size.width, ', ''), /:2: needs one of: width and height/],
    [TEMPLATE.replace('image.generation', 'image.drawing'), /:3: operations: /],
    [TEMPLATE.replace('image.generation', 'image.edit'), /:4: fields: must say where the image or images go$/],
    [`${TEMPLATE}fixd: {}\n`, /:7: fixd: /],
    [VIDEO.replace('832x480', 'wide'), /:4: sizes\.wide: must be a size like 1024x768$/],
    [
      VIDEO.replace(', frames_plus_one: frames, duration_text: length', ''),
      /:3: fields: must say where one of duration/,
    ],
    [VIDEO.replace(', low_strength: low_scale', ''), /:5: loras\.slots\[0\]: must have both low_url and low_strength/],
    [VIDEO.replace('slots:', 'slts:'), /:5: loras\.slts: /],
  ])('refuses to start with an invalid template: %#', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it.each(['replicate', 'fal', 'cog', 'runpod'])('ships valid examples for %s', (type) => {
    const examples = path.join(__dirname, '../../../../deploy/examples/templates');
    expect(ModelTemplates.read(examples, type, () => null).list().size).toBeGreaterThan(0);
  });
});
