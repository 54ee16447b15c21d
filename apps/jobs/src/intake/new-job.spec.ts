import type { ImageEditInput, ImageGenerationInput } from '@kinora/contracts/jobs/job';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { refusedParam, resolvedModel } from '../../test/new-job.fixtures';
import { assertEditFits } from '../model/bounds';
import { toNewJob } from './new-job';

const model = resolvedModel({
  capabilities: { t2i: true, sizes: ['1024x1024', '1344x768'], max_n: 3, max_refs: 2, loras: 'catalog' },
  steps: { min: 1, max: 30, default: 20 },
  output_side: { min: 256, max: 2_048 },
});

type OfAccount<Request> = Request extends unknown ? Omit<Request, 'account_id'> : never;
type GenerationRequest = Extract<CreateJobRequest, { kind: 'image.generation' }>['input'];

const resolve = (input: Partial<GenerationRequest>) =>
  inputOf({ kind: 'image.generation', input: { prompt: 'p', ...input } }) as ImageGenerationInput;
const inputOf = (request: OfAccount<CreateJobRequest>) =>
  toNewJob('job', { account_id: 'account', ...request }, model).input;

describe('a new job from a request', () => {
  it('fills in the model, its first size and its defaults, and draws a seed', () => {
    const input = resolve({});
    expect(input).toEqual({
      prompt: 'p',
      model: 'general-image',
      size: '1024x1024',
      n: 1,
      steps: 20,
      seed: expect.any(Number) as number,
      output_format: 'png',
    });
    expect(input.seed).toBeGreaterThanOrEqual(0);
    expect(input.seed).toBeLessThan(2_147_483_648);
  });

  it('prefers size to aspect_ratio', () => {
    expect(resolve({ size: '1024x1024', aspect_ratio: '16:9' }).size).toBe('1024x1024');
    expect(resolve({ aspect_ratio: '16:9' }).size).toBe('1344x768');
  });

  it.each([
    ['size', { size: '512x512' }],
    ['n', { n: 4 }],
    ['steps', { steps: 31 }],
    ['guidance', { guidance: 1 }],
  ])('refuses a %s that the model does not accept', (param, input) => {
    expect(refusedParam(() => resolve(input))).toBe(param);
  });

  it.each([
    [1, '1 image'],
    [2, '2 images'],
  ])('says how many images the model makes and takes at most: %i', (most, words) => {
    const few = { ...model, capabilities: { max_n: most, max_refs: most, sizes: ['1024x1024'] } };
    const request = { kind: 'image.generation', input: { prompt: 'p', n: 3 } } as const;
    expect(() => toNewJob('job', { account_id: 'account', ...request }, few)).toThrow(`makes at most ${words} a job.`);
    expect(() => assertEditFits({}, 3, few)).toThrow(`takes at most ${words}.`);
  });

  it('accepts the exact bounds', () => {
    expect(resolve({ n: 3, steps: 30 })).toMatchObject({ n: 3, steps: 30 });
    expect(resolve({ steps: 1 })).toMatchObject({ steps: 1 });
  });

  const image = { sha256: 'a', width: 640, height: 400, mime: 'image/png', object_key: 'inputs/a', param: 'image' };

  it('gives an edit the size of the first image, and echoes images without their object keys', () => {
    const input = inputOf({ kind: 'image.edit', input: { prompt: 'p' }, images: [image] });
    expect(input).toMatchObject({
      size: '640x400',
      n: 1,
      image: { sha256: 'a', width: 640, height: 400, mime: 'image/png' },
    });
    expect(JSON.stringify(input)).not.toContain('object_key');
  });

  it.each([
    [['image'], { image: 0 }],
    [['images[0]'], { images: [0] }],
    [['images[0]', 'images[1]'], { images: [0, 1] }],
    [['image', 'images[0]'], { image: 0, images: [1] }],
  ])('echoes the images of %j under the names of the request', (params, expected) => {
    const images = params.map((param, index) => ({ ...image, sha256: String(index), param }));
    const input = inputOf({ kind: 'image.edit', input: { prompt: 'p' }, images }) as ImageEditInput;
    const { image: one, images: several } = input;
    expect({
      ...(one && { image: Number(one.sha256) }),
      ...(several && { images: several.map(({ sha256 }) => Number(sha256)) }),
    }).toEqual(expected);
  });

  it('refuses more references than the model accepts, and a size outside its bounds', () => {
    const edit = (size: string, count: number) =>
      inputOf({ kind: 'image.edit', input: { prompt: 'p', size }, images: Array(count).fill(image) as never });
    expect(refusedParam(() => edit('512x512', 3))).toBe('images');
    expect(refusedParam(() => edit('2049x512', 1))).toBe('size');
    expect(edit('2048x256', 2).size).toBe('2048x256');
  });
});
