import { type DrawOrder, type ImageOrder, type VideoOrder } from '../drawing/draw-order';
import { type Directives, readDirectives } from './directives';
import { type TaskBody } from './task-body';

/** The work of a task: one drawing for each of its outputs, and the directives of its prompt. */
export interface TaskOrder {
  readonly directives: Directives;
  readonly drawings: readonly DrawOrder[];
}

export class InvalidTaskError extends Error {}

/** Memory for pixels grows with the area, and tests need no more. */
const MAX_AREA = 2048 * 2048;
const SEEDS = 2 ** 31;

export function toTaskOrder(body: TaskBody): TaskOrder {
  if (body.width * body.height > MAX_AREA) throw new InvalidTaskError(`An output has at most ${MAX_AREA} pixels.`);
  const { operation } = body;
  const { directives, prompt } = readDirectives(body.prompt);
  const common = {
    prompt,
    negativePrompt: body.negative_prompt,
    width: body.width,
    height: body.height,
    images: body.images.map(({ data }) => decodeImage(data)),
    blocked: directives.blocked,
  };
  const drawings =
    operation === 'video.generation'
      ? [toVideoOrder(body, common)]
      : Array.from({ length: body.n }, (_, index) => toImageOrder(body, operation, common, index));
  return { directives, drawings };
}

type CommonOrder = Omit<DrawOrder, 'operation' | 'seed'>;

function toImageOrder(
  body: TaskBody,
  operation: ImageOrder['operation'],
  common: CommonOrder,
  index: number,
): ImageOrder {
  if (body.prompt === '') throw new InvalidTaskError('An image needs a prompt.');
  if (operation === 'image.edit' && common.images.length === 0) throw new InvalidTaskError('An edit needs an image.');
  return {
    ...common,
    operation,
    seed: (body.seed + index) % SEEDS,
    ...(body.steps === undefined ? {} : { steps: body.steps }),
    ...(body.guidance === undefined ? {} : { guidance: body.guidance }),
    // The styles of this renderer are selected by name; a file of weights has no effect.
    styles: body.loras.flatMap(({ id, strength }) => (id === undefined ? [] : [{ id, strength }])),
    images: operation === 'image.edit' ? common.images : [],
  };
}

function toVideoOrder({ width, height, n, seed, duration, fps }: TaskBody, common: CommonOrder): VideoOrder {
  if (duration === undefined || fps === undefined) throw new InvalidTaskError('A video needs a duration and fps.');
  if (width % 2 !== 0 || height % 2 !== 0) throw new InvalidTaskError('A video has an even width and height.');
  if (common.images.length !== 1) throw new InvalidTaskError('A video needs exactly one image, its start frame.');
  if (n !== 1) throw new InvalidTaskError('A task makes one video.');
  return { ...common, operation: 'video.generation', seed, frames: Math.max(1, Math.round(duration * fps)), fps };
}

function decodeImage(base64: string): Uint8Array {
  const bytes = Buffer.from(base64, 'base64');
  if (!isImage(bytes)) throw new InvalidTaskError('An image must be a PNG, JPEG or WebP file in base64.');
  return bytes;
}

function isImage(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 12).toString('latin1');
  return (
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    start.startsWith('\xff\xd8\xff') ||
    (start.startsWith('RIFF') && start.endsWith('WEBP'))
  );
}
