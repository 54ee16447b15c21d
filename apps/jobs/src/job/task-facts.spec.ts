import type { StoredImage } from '@kinora/contracts/jobs/job';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { resolvedModel } from '../../test/new-job.fixtures';
import { toNewJob } from '../intake/new-job';
import { CHOICES_BY_FIELD, toTaskFacts } from './task-facts';

const MODEL = resolvedModel({
  capabilities: {
    ...{ t2i: true, edit: true, i2v: true, loras: 'url', max_n: 4, max_refs: 3, durations: [5, 8], fps: 24 },
    sizes: ['512x512', '512x640'],
  },
  steps: { min: 1, max: 50, default: 8 },
  guidance: { min: 0, max: 20, default: 5 },
  output_side: { min: 64, max: 2_048 },
  output_frame: { max_pixels: 399_360, side_multiple: 16 },
});
const IMAGE: StoredImage = {
  ...{ sha256: 'a', width: 512, height: 512, mime: 'image/png' },
  ...{ object_key: 'inputs/a.png', param: 'image' },
};
const account_id = 'account';
const loras = [{ url: 'https://x.example/a.safetensors' }];

const REQUESTS: CreateJobRequest[] = [
  { kind: 'image.generation', account_id, input: { prompt: 'p', seed: 1 } },
  { kind: 'image.edit', account_id, input: { prompt: 'p', seed: 1 }, images: [IMAGE] },
  { kind: 'video.generation', account_id, input: { prompt: 'p', seed: 1 }, images: [IMAGE] },
];

/** For each field, a change of the request in this field only. */
const OTHERWISE: Record<keyof typeof CHOICES_BY_FIELD, object> = {
  prompt: { input: { prompt: 'other' } },
  negative_prompt: { input: { negative_prompt: 'fog' } },
  size: { input: { size: '512x640' } },
  aspect_ratio: { input: { aspect_ratio: '4:5' } },
  image: { images: [IMAGE, IMAGE] },
  images: { images: [IMAGE, IMAGE] },
  n: { input: { n: 2 } },
  seed: { input: { seed: 2 } },
  steps: { input: { steps: 9 } },
  guidance: { input: { guidance: 6 } },
  loras: { input: { loras } },
  duration: { input: { duration: 8 } },
  model: {},
  output_format: { input: { output_format: 'webp' } },
  webhook_url: { webhook_url: 'https://hooks.example/' },
  metadata: { metadata: { a: 'b' } },
};

const FIELDS = {
  'image.generation': ['prompt', 'negative_prompt', 'size', 'aspect_ratio', 'n', 'seed', 'steps', 'guidance', 'loras'],
  'image.edit': ['prompt', 'negative_prompt', 'images', 'size', 'seed'],
  'video.generation': ['prompt', 'negative_prompt', 'duration', 'seed', 'loras'],
} as const;
const OF_NO_TASK = ['output_format', 'webhook_url', 'metadata'] as const;

describe('the choices of a client', () => {
  const factsOf = (request: CreateJobRequest): Record<string, unknown> => {
    const { imageCount: images, ...facts } = toTaskFacts(toNewJob('job', request, MODEL), 'job-1');
    return { ...facts, images };
  };
  const changeOf = (request: CreateJobRequest, field: keyof typeof OTHERWISE): string[] => {
    const { input = {}, ...rest } = OTHERWISE[field] as { input?: object };
    const changed = { ...request, ...rest, input: { ...request.input, ...input } } as CreateJobRequest;
    const [before, after] = [factsOf(request), factsOf(changed)];
    return Object.keys(after).filter((part) => JSON.stringify(after[part]) !== JSON.stringify(before[part]));
  };

  it('are tested for every field', () => {
    // The model is chosen by its id, and one image in the same way as several.
    const tried = new Set<string>([...Object.values(FIELDS).flat(), ...OF_NO_TASK, 'model', 'image']);
    expect(tried).toEqual(new Set(Object.keys(CHOICES_BY_FIELD)));
  });

  it.each(REQUESTS)('of $kind change exactly the declared parts of the task', (request) => {
    for (const field of FIELDS[request.kind]) {
      const declared: readonly string[] = CHOICES_BY_FIELD[field];
      const changed = changeOf(request, field);
      expect({ field, changed: changed.length > 0 }).toEqual({ field, changed: true });
      expect({ field, undeclared: changed.filter((part) => !declared.includes(part)) }).toEqual({
        field,
        undeclared: [],
      });
    }
    for (const field of OF_NO_TASK)
      expect({ field, changed: changeOf(request, field) }).toEqual({ field, changed: [] });
  });
});
