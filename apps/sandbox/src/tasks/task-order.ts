import { type DrawOrder } from '../render/draw-order';
import { type Directives, readDirectives } from './directives';
import { type TaskBody } from './task-body';

/** What a task has to do: one drawing for each of its outputs, and the trouble that its prompt asks for. */
export interface TaskOrder {
  readonly directives: Directives;
  readonly drawings: readonly DrawOrder[];
}

export class InvalidTaskError extends Error {}

/** Memory for pixels grows with the area, and nobody who tries things out needs more. */
const MAX_AREA = 2048 * 2048;
const SEEDS = 2 ** 31;

export function toTaskOrder(body: TaskBody): TaskOrder {
  if (body.width * body.height > MAX_AREA) throw new InvalidTaskError(`A picture has at most ${MAX_AREA} pixels.`);
  const images = body.images.map(({ data }) => decodeImage(data));
  if (body.operation === 'image.edit' && images.length === 0) throw new InvalidTaskError('An edit needs an image.');
  const { directives, prompt } = readDirectives(body.prompt);
  const order: DrawOrder = {
    operation: body.operation,
    prompt,
    negativePrompt: body.negative_prompt,
    width: body.width,
    height: body.height,
    seed: body.seed,
    ...(body.steps === undefined ? {} : { steps: body.steps }),
    ...(body.guidance === undefined ? {} : { guidance: body.guidance }),
    // Styles of this renderer go by name; a file of weights means nothing to it.
    styles: body.loras.flatMap(({ id, strength }) => (id === undefined ? [] : [{ id, strength }])),
    images: body.operation === 'image.edit' ? images : [],
    blocked: directives.blocked,
  };
  return {
    directives,
    drawings: Array.from({ length: body.n }, (_, index) => ({ ...order, seed: (body.seed + index) % SEEDS })),
  };
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
