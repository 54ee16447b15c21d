import { InvalidRequestError } from './errors';
import { joinBytes, nodeModule } from './platform';
import type { ImageSource } from './resources';

/** The largest image that the API takes. */
const LARGEST_BYTES = 10 * 1024 * 1024;

/** The form in which the API takes the image: a URL, or a data URI. @throws InvalidRequestError with the field as `param` */
export async function toImageField(source: ImageSource, param: string): Promise<string> {
  if (typeof source === 'string' && /^(https?:|data:)/i.test(source)) return source;
  if (source instanceof URL && source.protocol !== 'file:') return source.href;
  const bytes = await readBytes(source, param);
  if (bytes.length === 0) throw refused(param, 'empty', 'the image is empty.');
  const mime = imageMime(bytes);
  // Nothing of another file leaves this machine.
  if (mime === null) throw refused(param, 'not_an_image', 'not a PNG, JPEG or WebP image.');
  return `data:${mime};base64,${toBase64(bytes)}`;
}

async function readBytes(source: ImageSource, param: string): Promise<Uint8Array> {
  if (source === '') return new Uint8Array();
  if (typeof source === 'string' || source instanceof URL) return await readFile(source, param);
  if (source instanceof ArrayBuffer) return limited(new Uint8Array(source), param);
  if (ArrayBuffer.isView(source))
    return limited(new Uint8Array(source.buffer, source.byteOffset, source.byteLength), param);
  if (source instanceof Blob) {
    if (source.size > LARGEST_BYTES) throw tooLarge(param);
    return new Uint8Array(await source.arrayBuffer());
  }
  if (typeof source === 'object' && source !== null && (Symbol.asyncIterator in source || 'getReader' in source))
    return await readChunks(chunksOf(source), param);
  throw refused(param, 'unsupported', 'pass a URL, a data URI, a path, bytes, a Blob or a stream.');
}

async function readFile(path: string | URL, param: string): Promise<Uint8Array> {
  try {
    const files = await nodeModule('node:fs/promises');
    // Before it is opened: a pipe would block, and a device would never end.
    const entry = await files.stat(path);
    if (!entry.isFile()) throw refused(param, 'unreadable', 'not a file.');
    if (entry.size > LARGEST_BYTES) throw tooLarge(param);
    return await files.readFile(path);
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    throw refused(param, 'unreadable', 'neither a URL, nor a data URI, nor a file that can be read.', cause);
  }
}

async function readChunks(chunks: AsyncIterable<Uint8Array>, param: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.byteLength;
    if (length > LARGEST_BYTES) throw tooLarge(param);
  }
  return joinBytes(parts);
}

/** Not every browser can iterate a stream. */
async function* chunksOf(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (!('getReader' in source)) {
    yield* source;
    return;
  }
  const reader = source.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** By the first bytes, as the service judges it. */
function imageMime(bytes: Uint8Array): string | null {
  const begin = String.fromCharCode(...bytes.subarray(0, 12));
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return /^RIFF.{4}WEBP/s.test(begin) ? 'image/webp' : null;
}

function toBase64(bytes: Uint8Array): string {
  if ('Buffer' in globalThis) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const parts: string[] = [];
  // A multiple of 3, so that no part but the last is padded; more arguments overflow the stack.
  for (let begin = 0; begin < bytes.length; begin += 0x6000)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(begin, begin + 0x6000))));
  return parts.join('');
}

function limited(bytes: Uint8Array, param: string): Uint8Array {
  if (bytes.length > LARGEST_BYTES) throw tooLarge(param);
  return bytes;
}

function tooLarge(param: string): InvalidRequestError {
  return refused(param, 'too_large', 'an image has at most 10 MiB.');
}

function refused(param: string, problem: string, message: string, cause?: unknown): InvalidRequestError {
  const facts = { type: 'invalid_request_error', code: 'invalid_body', param, problem, cause };
  return new InvalidRequestError(`${param}: ${message}`, facts);
}
