import { type Transferable, parentPort } from 'node:worker_threads';
import { IMAGE_TEXT_CHARS } from '@kinora/contracts/jobs/image-text';
import { ApiError, type ErrorPayload } from '@kinora/contracts/shared/errors';
import { ImageProblem, decodeDataUri, isDataUri } from '@kinora/images';
import { lowerThreadPriority } from '@kinora/service-kit/thread-priority';
import { hasMoreStructureThan } from './json-structure';
import { type ReceivedBody, readJson } from './received-body';

export interface LargeBodyRequest {
  id: number;
  /** The body, as its bytes have arrived. */
  pieces: Uint8Array[];
  hashed: boolean;
}

export type LargeBodyReply = { id: number } & ({ body: ReceivedBody } | { error: ErrorPayload });

/** Ten times what any legal body has. */
const MAX_STRUCTURE = 2_000;
/** Longer than any name that a body may have: what is cut off here was unknown and stays so. */
const NAME_MAX_CHARS = 1024;
/** A shorter text costs less to copy and to decode later than it is worth. */
const LONG_TEXT_CHARS = 16 * 1024;

// It reads tens of megabytes at a time: small requests of others go first.
lowerThreadPriority();
parentPort?.on('message', (request: LargeBodyRequest) => {
  const images: Transferable[] = [];
  const reply = { id: request.id, ...read(request, images) };
  parentPort?.postMessage(reply satisfies LargeBodyReply, images);
});

function read(
  { pieces, hashed }: LargeBodyRequest,
  images: Transferable[],
): { body: ReceivedBody } | { error: ErrorPayload } {
  try {
    const json = Buffer.concat(pieces);
    if (hasMoreStructureThan(MAX_STRUCTURE, json)) throw new ApiError('invalid_body', 'The body has too many fields.');
    const { value, ...rest } = readJson(json, { hashed });
    return { body: { value: decodeImages(value, images), ...rest } };
  } catch (error) {
    // A mistake of ours ends the thread, which is what gets it into the log.
    if (!(error instanceof ApiError)) throw error;
    return { error: error.toPayload() };
  }
}

/** The same value with the bytes of each long data URI in its place; they go over without being copied. */
function decodeImages(value: unknown, images: Transferable[]): unknown {
  if (typeof value === 'string') return decodeImage(value, images);
  if (Array.isArray(value)) return value.map((item) => decodeImages(item, images));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name.slice(0, NAME_MAX_CHARS), decodeImages(field, images)]),
  );
}

function decodeImage(text: string, images: Transferable[]): string | Uint8Array {
  // Still too long for any field; the rest would only hold up everybody while it is copied over.
  if (text.length > IMAGE_TEXT_CHARS.max) return text.slice(0, IMAGE_TEXT_CHARS.max + 1);
  if (text.length < LONG_TEXT_CHARS || !isDataUri(text)) return text;
  try {
    const bytes = decodeDataUri(text);
    images.push(bytes.buffer as ArrayBuffer);
    return bytes;
  } catch (error) {
    // Whoever reads the image says what is wrong with it, when it is its turn.
    if (error instanceof ImageProblem) return text;
    throw error;
  }
}
