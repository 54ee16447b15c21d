import type { FetchOutput, ProviderTask } from '../compute-provider.port';
import type { InstanceConnection } from '../http/instance-connection';
import { decodeInlineFile } from '../http/json-answer';
import type { Json } from '../instance-definition';

/** The limit of the official clients of hosted backends for images in a request, although the backends advise less. */
export const MAX_HOSTED_IMAGE_BYTES = 10_000_000;

const PNG = Buffer.from('89504e47', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

/** Images of tasks are PNG, JPEG or WebP, each encoded by Kinora. */
export function toImageDataUrl(bytes: Buffer): string {
  return `data:${mimeOf(bytes)};base64,${bytes.toString('base64')}`;
}

function mimeOf(bytes: Buffer): string {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg';
  return 'image/webp';
}

type Part = (task: ProviderTask) => Json | undefined;

/** The parts of a task for the fields of a model's input; undefined where a task lacks one. */
export const TASK_PARTS = {
  prompt: ({ prompt }) => prompt,
  negative_prompt: ({ negativePrompt }) => negativePrompt,
  seed: ({ seed }) => seed,
  width: ({ width }) => width,
  height: ({ height }) => height,
  steps: (task) => ('steps' in task ? task.steps : undefined),
  guidance: (task) => ('guidance' in task ? task.guidance : undefined),
  n: (task) => ('n' in task ? task.n : undefined),
  image: ({ images: [first] }) => first && toImageDataUrl(first),
  images: ({ images }) => (images.length === 0 ? undefined : images.map(toImageDataUrl)),
  duration: (task) => ('durationSeconds' in task ? task.durationSeconds : undefined),
  /** For models that take the seconds as a text. */
  duration_text: (task) => ('durationSeconds' in task ? String(task.durationSeconds) : undefined),
  fps: (task) => ('fps' in task ? task.fps : undefined),
  frames: (task) => framesOf(task),
  /** For models that also count the start frame. */
  frames_plus_one: (task) => {
    const frames = framesOf(task);
    return frames === undefined ? undefined : frames + 1;
  },
} as const satisfies Record<string, Part>;

export type TaskPart = keyof typeof TASK_PARTS;

export function isTaskPart(name: string): name is TaskPart {
  return Object.hasOwn(TASK_PARTS, name);
}

function framesOf(task: ProviderTask): number | undefined {
  return 'fps' in task ? Math.round(task.durationSeconds * task.fps) : undefined;
}

const MAX_OUTPUTS = 64;
const MAX_DEPTH = 4;

/** The files in a model's free-form output, in order: URLs and data URIs, alone, in lists or in objects. */
export function collectOutputTexts(output: unknown, depth = 0): string[] {
  if (typeof output === 'string') return /^(https?:\/\/|data:)/i.test(output) ? [output] : [];
  if (typeof output !== 'object' || output === null || depth > MAX_DEPTH) return [];
  return Object.values(output)
    .flatMap((part) => collectOutputTexts(part, depth + 1))
    .slice(0, MAX_OUTPUTS);
}

/** A video of eight seconds is smaller; the bound protects the memory. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const OUTPUT_TIMEOUT_MS = 120_000;

/** Fetches an output of a hosted model: a data URI, or an untrusted URL. */
export function outputFetcher(connection: InstanceConnection): (text: string) => FetchOutput {
  const bounds = { timeoutMs: OUTPUT_TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES };
  return (text) => async () =>
    /^data:/i.test(text) ? decodeInlineFile(text) : await connection.fetchFile(text, bounds);
}
