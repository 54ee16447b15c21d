import type { Readable } from 'node:stream';

/** The length of the base64 of so many bytes. */
export function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

/** The base64 of a stream, chunk by chunk. Only the whole stream may end in padding, so up to two bytes wait for the next chunk. */
export async function* toBase64(stream: Readable): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const wholeBytes = bytes.length - (bytes.length % 3);
    if (wholeBytes > 0) yield bytes.toString('base64', 0, wholeBytes);
    rest = Buffer.from(bytes.subarray(wholeBytes));
  }
  if (rest.length > 0) yield rest.toString('base64');
}
