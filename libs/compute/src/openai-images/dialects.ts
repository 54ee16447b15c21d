import { createHash } from 'node:crypto';
import path from 'node:path';
import { sniffMime } from '@kinora/images';
import type { ProviderTask, TaskFacts, VideoTask } from '../compute-provider.port';
import { type FormBody, type FormPart, toFormBody } from '../http/multipart';
import { ageSafetyTermsFirst } from '../instance-definition';
import type { Dialect, DialectName, OpenAiImagesSettings, Work } from './openai-images-settings';

type Fields = Record<string, string | number | undefined>;

/**
 * The fields of every task, with the names that vLLM-Omni and SGLang share. The seed is always sent, because SGLang's default
 * is a constant 1024.
 */
function toCommonFields(task: ProviderTask): Fields {
  return {
    model: task.template,
    prompt: task.prompt,
    negative_prompt: task.negativePrompt,
    size: toSize(task),
    seed: task.seed,
  };
}

/** The additional fields of an image, with the names that vLLM-Omni and SGLang share. */
function toImageFields(task: ProviderTask, { guidance_field: field }: OpenAiImagesSettings): Fields {
  if (task.operation === 'video.generation') return {};
  const { n, steps, guidance } = task;
  return { n, num_inference_steps: steps, [field]: guidance, output_format: 'png' };
}

/** Both frames and speed are sent: without one of them, servers use a frame rate of their own. */
function toVideoFields(task: VideoTask, settings: OpenAiImagesSettings): Fields {
  const { durationSeconds, fps } = task;
  return { seconds: String(durationSeconds), fps, num_frames: countFrames(task, settings) };
}

function countFrames({ durationSeconds, fps }: VideoTask, { extra_frame: hasExtra }: OpenAiImagesSettings): number {
  return Math.round(durationSeconds * fps) + (hasExtra ? 1 : 0);
}

/** The separator must be `x`: LocalAI replaces any other format by 512x512. */
function toSize({ width, height }: ProviderTask): string {
  return `${width}x${height}`;
}

function toForm(fields: Fields, imageField: string, images: Buffer[]): FormBody {
  const texts = Object.entries(fields).flatMap(([name, value]): FormPart[] =>
    value === undefined ? [] : [{ name, value: String(value) }],
  );
  return toFormBody([...texts, ...images.map((bytes, index) => toFilePart(imageField, bytes, index))]);
}

function toFilePart(name: string, value: Buffer, index: number): FormPart {
  const contentType = sniffMime(value) ?? 'application/octet-stream';
  return { name, value, contentType, filename: `image-${index}.${contentType.split('/')[1]}` };
}

const MAX_N = 10;
const MAX_STEPS = 200;
const MAX_GUIDANCE = 20;

const vllmOmniDialect: Dialect = {
  healthPaths: ['/health', '/v1/models'],
  stopsVideosBy: 'delete',

  findUnsupported(task, settings) {
    return findLimitProblem(task) ?? findLoraProblem(task, settings);
  },

  toWork(task, settings): Work {
    const fields = { ...toCommonFields(task), ...toImageFields(task, settings) };
    const lora = toLora(task, settings);
    if (task.operation === 'video.generation') {
      const ofVideo = { ...fields, ...toVideoFields(task, settings), lora: lora && JSON.stringify(lora) };
      return { path: '/v1/videos', answersWith: 'video_job', form: toForm(ofVideo, 'input_reference', task.images) };
    }
    if (task.operation === 'image.edit')
      return { path: '/v1/images/edits', answersWith: 'result', form: toForm(fields, 'image', task.images) };
    const json = { ...fields, lora, response_format: 'b64_json' };
    return { path: '/v1/images/generations', answersWith: 'result', json };
  },
};

function findLimitProblem(task: TaskFacts): string | null {
  if (task.operation === 'video.generation') return null;
  const { n, steps, guidance } = task;
  if (n > MAX_N) return `vLLM-Omni makes at most ${MAX_N} images at once.`;
  if (steps !== undefined && steps > MAX_STEPS) return `vLLM-Omni takes at most ${MAX_STEPS} steps.`;
  if (guidance !== undefined && guidance > MAX_GUIDANCE)
    return `vLLM-Omni takes a guidance of at most ${MAX_GUIDANCE}.`;
  return null;
}

/** A pair for high and low noise can only be set when the server starts, and edits have no field for a LoRA. */
function findLoraProblem({ loras, operation }: TaskFacts, { lora_dir: dir }: OpenAiImagesSettings): string | null {
  const [lora] = loras;
  if (!lora) return null;
  if (operation === 'image.edit') return 'vLLM-Omni edits without LoRAs.';
  if (loras.length > 1 || lora.low_url !== undefined || lora.low_file !== undefined)
    return 'vLLM-Omni takes one LoRA for a request.';
  return lora.id !== undefined && dir !== undefined
    ? null
    : "vLLM-Omni takes a LoRA of the catalog only, from the server's lora_dir.";
}

function toLora({ loras: [lora] }: ProviderTask, { lora_dir: dir }: OpenAiImagesSettings): object | undefined {
  if (lora?.id === undefined || dir === undefined) return undefined;
  const number = createHash('sha256').update(lora.id).digest().readUInt32BE() >>> 1;
  return { name: lora.id, path: path.posix.join(dir, lora.id), scale: lora.strength, int_id: number };
}

const sglangDialect: Dialect = {
  healthPaths: ['/v1/models'],
  stopsVideosBy: 'cancel',

  findUnsupported({ loras }) {
    // A LoRA is a state of the whole server: it would also affect the tasks of other processes.
    return loras.length === 0 ? null : 'SGLang sets LoRAs for all of its requests at once.';
  },

  toWork(task, settings): Work {
    const fields = { ...toCommonFields(task), ...toImageFields(task, settings) };
    if (task.operation === 'video.generation') {
      const form = toForm({ ...fields, ...toVideoFields(task, settings) }, 'input_reference', task.images);
      return { path: '/v1/videos', answersWith: 'video_job', form };
    }
    const image = { ...fields, response_format: 'b64_json' };
    return task.operation === 'image.edit'
      ? { path: '/v1/images/edits', answersWith: 'result', form: toForm(image, 'image', task.images) }
      : { path: '/v1/images/generations', answersWith: 'result', json: image };
  },
};

/** LocalAI splits an image's prompt here: prompt, negative prompt; the rest is lost. */
const SEPARATOR = '|';

const localAiDialect: Dialect = {
  healthPaths: ['/v1/models'],
  stopsVideosBy: 'delete',

  findUnsupported(task) {
    if (task.loras.length > 0) return 'LocalAI takes LoRAs from the files of its models only.';
    if (task.operation === 'video.generation') return null;
    if (task.prompt.includes(SEPARATOR)) return 'LocalAI would cut the prompt at its |.';
    return task.guidance === undefined ? null : 'LocalAI takes the guidance from the files of its models only.';
  },

  toWork(task, settings): Work {
    return task.operation === 'video.generation'
      ? { path: '/video', answersWith: 'result', json: toVideoBody(task, settings) }
      : { path: '/v1/images/generations', answersWith: 'result', json: toImageBody(task) };
  },
};

function toImageBody(task: Exclude<ProviderTask, VideoTask>): Record<string, unknown> {
  const unwanted = ageSafetyTermsFirst(task.negativePrompt).replaceAll(SEPARATOR, ' ');
  return {
    model: task.template ?? task.model,
    prompt: task.prompt + SEPARATOR + unwanted,
    size: toSize(task),
    n: task.n,
    seed: task.seed,
    step: task.steps,
    response_format: 'b64_json',
    // Bare base64, because LocalAI logs and ignores a data URI, and the edit would run without its image.
    ref_images: task.images.length === 0 ? undefined : task.images.map((bytes) => bytes.toString('base64')),
  };
}

function toVideoBody(task: VideoTask, settings: OpenAiImagesSettings): Record<string, unknown> {
  const { width, height, seed, fps, durationSeconds } = task;
  return {
    model: task.template ?? task.model,
    prompt: task.prompt,
    negative_prompt: task.negativePrompt,
    start_image: task.images[0]?.toString('base64'),
    width,
    height,
    size: toSize(task),
    num_frames: countFrames(task, settings),
    fps,
    seconds: String(durationSeconds),
    seed,
    response_format: 'b64_json',
  };
}

export const DIALECT_BY_NAME: Record<DialectName, Dialect> = {
  'vllm-omni': vllmOmniDialect,
  sglang: sglangDialect,
  localai: localAiDialect,
};
