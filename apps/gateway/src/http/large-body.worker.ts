import { type Transferable, parentPort } from 'node:worker_threads';
import { IMAGE_TEXT_CHARS } from '@kinora/contracts/jobs/image-input';
import { ApiError, type ErrorPayload } from '@kinora/contracts/shared/errors';
import { ImageProblem, decodeDataUri, isDataUri } from '@kinora/images';
import { BACKGROUND_PERMITS } from '../../../../libs/service-kit/src/background-process/background-permits';
import { lowerThreadPriority } from '@kinora/service-kit/thread-priority';
import { hasMoreStructureThan } from './json-text';
import { type BodyHashing, type ReceivedBody, readJson } from './received-body';

export interface LargeBodyRequest {
  id: number;
  pieces: Uint8Array[];
  hashing: BodyHashing;
}

export type LargeBodyReply = { id: number } & ({ body: ReceivedBody } | { error: ErrorPayload });

/** Ten times the structure of any legal body. */
const MAX_STRUCTURE = 2_000;
/** Longer than any known field name. A name that is cut here was unknown before and stays unknown. */
const NAME_MAX_CHARS = 1024;
/** Decoding a shorter text here would save less than it costs. */
const LONG_TEXT_CHARS = 16 * 1024;
/** Three images of 1024 by 1024 pixels. A larger body keeps a core busy for 30 to 300 ms. */
const LONG_WORK_BYTES = 4 * 1024 * 1024;

// This thread parses tens of megabytes at a time; a lower priority keeps the event loop responsive for small requests.
lowerThreadPriority();
parentPort?.on('message', (request: LargeBodyRequest) => {
  const bytes = request.pieces.reduce((sum, { length }) => sum + length, 0);
  if (bytes <= LONG_WORK_BYTES) answer(request);
  else void BACKGROUND_PERMITS.run(() => Promise.resolve(answer(request)));
});

function answer(request: LargeBodyRequest): void {
  const images: Transferable[] = [];
  const reply = { id: request.id, ...read(request, images) };
  parentPort?.postMessage(reply satisfies LargeBodyReply, images);
}

function read(
  { pieces, hashing }: LargeBodyRequest,
  images: Transferable[],
): { body: ReceivedBody } | { error: ErrorPayload } {
  try {
    const json = Buffer.concat(pieces);
    if (hasMoreStructureThan(MAX_STRUCTURE, json)) throw new ApiError('invalid_body', 'The body has too many fields.');
    const { value, ...rest } = readJson(json, hashing);
    return { body: { value: decodeImages(value, images), ...rest } };
  } catch (error) {
    // An unexpected error ends the thread, which logs it.
    if (!(error instanceof ApiError)) throw error;
    return { error: error.toPayload() };
  }
}

/** The same value with each long data URI replaced by its bytes, which are transferred without a copy. */
function decodeImages(value: unknown, images: Transferable[]): unknown {
  if (typeof value === 'string') return decodeImage(value, images);
  if (Array.isArray(value)) return value.map((item) => decodeImages(item, images));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name.slice(0, NAME_MAX_CHARS), decodeImages(field, images)]),
  );
}

function decodeImage(text: string, images: Transferable[]): string | Uint8Array {
  // The text stays too long for any field. Copying the rest to the main thread would only block the event loop.
  if (text.length > IMAGE_TEXT_CHARS.max) return text.slice(0, IMAGE_TEXT_CHARS.max + 1);
  if (text.length < LONG_TEXT_CHARS || !isDataUri(text)) return text;
  try {
    const bytes = decodeDataUri(text);
    images.push(bytes.buffer as ArrayBuffer);
    return bytes;
  } catch (error) {
    // The text stays as it is: the later validation of the image reports the problem.
    if (error instanceof ImageProblem) return text;
    throw error;
  }
}
