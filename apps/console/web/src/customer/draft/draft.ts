import type { Job, Model } from '../../api/customer';
import type { Operation } from '../../api/kinora-client';

export type { Operation };

/** The form as it is filled in. An empty text leaves its field to the model's default. */
export interface Draft {
  operation: Operation;
  prompt: string;
  /** Of one to four models, which run side by side. */
  models: readonly string[];
  negativePrompt: string;
  size: string;
  count: string;
  seed: string;
  steps: string;
  guidance: string;
  lora: string;
  loraStrength: string;
  format: string;
  duration: string;
  images: readonly InputImage[];
}

export interface InputImage {
  name: string;
  dataUri: string;
  /** The address of its thumbnail, within this browser. */
  preview: string;
  /** In pixels, after its EXIF orientation, as the API counts them. */
  width: number;
  height: number;
  /** The output that it is, as `<job id>/<index>`; null for an uploaded file. */
  source: string | null;
}

export const EMPTY_DRAFT: Draft = {
  operation: 'images.generations',
  prompt: '',
  models: [],
  negativePrompt: '',
  size: '',
  count: '1',
  seed: '',
  steps: '',
  guidance: '',
  lora: '',
  loraStrength: '',
  format: 'png',
  duration: '',
  images: [],
};

/** What the empty field suggests, and the prompt of the sample then. */
export const PLACEHOLDERS: Record<Operation, string> = {
  'images.generations': 'Snowy mountains above a calm lake at sunset',
  'images.edits': 'Make it night, with lights in the windows',
  'videos.generations': 'The camera moves slowly forward',
};

export const MOST_MODELS = 4;
const COUNT_MAX = 16;

const CAPABILITIES = { 'images.generations': 't2i', 'images.edits': 'edit', 'videos.generations': 'i2v' } as const;

export const modelsFor = (operation: Operation, models: readonly Model[]) =>
  models.filter(({ capabilities }) => capabilities[CAPABILITIES[operation]]);

/** What all models of a comparison take, in the order of the first. */
export function commonSettings(chosen: readonly Model[]) {
  const capabilities = chosen.map((model) => model.capabilities);
  return {
    sizes: common(capabilities.map(({ sizes = [] }) => sizes)),
    durations: common(capabilities.map(({ durations = [] }) => durations)),
    maxCount: Math.min(COUNT_MAX, ...capabilities.map(({ max_n = 1 }) => max_n)),
  };
}

function common<Value>([first = [], ...others]: readonly (readonly Value[])[]): Value[] {
  return first.filter((value) => others.every((list) => list.includes(value)));
}

/** The form without what another model has offered, so that it sends what its fields show. */
export function fitTo(chosen: readonly Model[], draft: Draft): Draft {
  const { sizes, durations, maxCount } = commonSettings(chosen);
  return {
    ...draft,
    size: sizes.includes(draft.size) ? draft.size : '',
    duration: durations.map(String).includes(draft.duration) ? draft.duration : '',
    count: Number(draft.count) <= maxCount ? draft.count : String(maxCount),
  };
}

/** The request of the form to one model: only fields that the model takes, and only those that are filled in. */
export function bodyOf(draft: Draft, model: Model): Record<string, unknown> {
  return bodyWith(
    draft.images.map(({ dataUri }) => dataUri),
    draft,
    model,
  );
}

/** The same request for its quote: the size, and with it the price, may follow from the sides of an image, which stand for it. */
export function quotedBodyOf(draft: Draft, model: Model): Record<string, unknown> {
  return bodyWith(
    draft.images.map(({ width, height }) => ({ width, height })),
    draft,
    model,
  );
}

function bodyWith(images: readonly unknown[], draft: Draft, model: Model): Record<string, unknown> {
  const { operation } = draft;
  const isVideo = operation === 'videos.generations';
  const isGeneration = operation === 'images.generations';
  const [image] = images;
  return {
    ...(draft.prompt.trim() !== '' && { prompt: draft.prompt }),
    model: model.id,
    ...text('negative_prompt', draft.negativePrompt),
    ...(isVideo && image !== undefined && { image }),
    ...(operation === 'images.edits' && images.length > 0 && { images }),
    ...(!isVideo && text('size', draft.size)),
    ...(isGeneration && number('n', draft.count)),
    ...number('seed', draft.seed),
    ...(isGeneration && number('steps', draft.steps)),
    ...(isGeneration && number('guidance', draft.guidance)),
    ...(isVideo && number('duration', draft.duration)),
    ...(takesLora(operation, model) && draft.lora !== '' && { loras: [lora(draft)] }),
    ...(!isVideo && draft.format !== 'png' && { output_format: draft.format }),
  };
}

/** An edit takes none, whatever its model can do in other operations. */
export const takesLora = (operation: Operation, { capabilities }: Model) =>
  operation !== 'images.edits' && capabilities.loras !== undefined;

const text = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: value });

function number(name: string, value: string): Record<string, unknown> {
  if (value.trim() === '') return {};
  const parsed = Number(value);
  // The API names the field of a text that is no number.
  return { [name]: Number.isNaN(parsed) ? value : parsed };
}

const lora = ({ lora: id, loraStrength }: Draft) => ({ id, ...number('strength', loraStrength) });

const OPERATIONS: Partial<Record<Job['kind'], Operation>> = {
  'image.edit': 'images.edits',
  'video.generation': 'videos.generations',
};

/** The form of a job that is run again, without its images: the service deletes them at the end of the job. */
export function draftOf(job: Job): Draft {
  const input: Record<string, unknown> = job.input;
  const given = (name: string) => {
    const value = input[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const [first] = Array.isArray(input['loras']) ? (input['loras'] as { id?: string; strength?: number }[]) : [];
  return {
    ...EMPTY_DRAFT,
    operation: OPERATIONS[job.kind] ?? 'images.generations',
    prompt: given('prompt'),
    models: [job.model],
    negativePrompt: given('negative_prompt'),
    size: given('size'),
    count: given('n') || '1',
    seed: given('seed'),
    steps: given('steps'),
    guidance: given('guidance'),
    lora: first?.id ?? '',
    loraStrength: first?.strength === undefined ? '' : String(first.strength),
    format: given('output_format') || 'png',
    duration: given('duration'),
  };
}
