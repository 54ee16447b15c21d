import { crc32, inflate, type Inflate } from 'node:zlib';
import type { RelabelledFile } from './image-format';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length, type and checksum around the data of each chunk. */
const FRAME_BYTES = 12;
const HEADER_BYTES = 13;
const CHECKSUM_BYTES = 4;
/** Samples of a pixel by colour type: grey, RGB, grey with alpha, RGBA. A palette image is not plain. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
/** None, Sub, Up, Average, Paeth. */
const MAX_FILTER = 4;
/** XMP specification, part 3: its keyword, not compressed, without a language. */
const XMP_HEAD = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1');
/** Without this bit in its first letter, a chunk is critical: a decoder must not skip it. */
const ANCILLARY_BIT = 0x20;

interface Chunk {
  type: string;
  data: Buffer;
}

/**
 * The same coded pixels with `xmp`, if any, as the only metadata (PNG, third edition): IHDR, an uncompressed iTXt, all
 * image data in one IDAT, IEND. Every other ancillary chunk, and what follows IEND, is dropped. gAMA, cHRM and cICP are among them:
 * the decoder that images are judged with ignores them.
 * @returns null for a file that is not plain: 8 bits a sample, no palette, no key colour, not interlaced, lengths and
 * checksums correct.
 */
export function relabelPng(bytes: Buffer, xmp: string | null): RelabelledFile | null {
  const chunks = readChunks(bytes);
  const needed = chunks?.filter(({ type }) => isCritical(type) || type === 'tRNS');
  const [header, ...rest] = needed ?? [];
  const last = rest.pop();
  if (header?.type !== 'IHDR' || !isPlainHeader(header.data) || last?.type !== 'IEND' || last.data.length > 0)
    return null;
  if (rest.length === 0 || rest.some(({ type }) => type !== 'IDAT')) return null;
  const label = xmp === null ? [] : framed('iTXt', [XMP_HEAD, Buffer.from(xmp)]);
  const coded = rest.map(({ data }) => data);
  const whole = Buffer.concat([
    SIGNATURE,
    ...framed('IHDR', [header.data]),
    ...label,
    ...framed('IDAT', coded),
    ...framed('IEND', []),
  ]);
  const end = whole.length - FRAME_BYTES - CHECKSUM_BYTES;
  return { bytes: whole, coded: [whole.subarray(end - bytesOf(coded), end)] };
}

/**
 * Whether the image data of a relabelled PNG is one zlib stream of all rows and nothing else: no byte behind the stream,
 * no row too many. A decoder stops at the last row and would not notice. Costs a third of a decode, and holds the rows
 * in memory.
 */
export async function holdsOnlyRows({ bytes, coded: [coded = Buffer.alloc(0)] }: RelabelledFile): Promise<boolean> {
  const [width, height, colour = 0] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[25]];
  const rowBytes = 1 + width * (SAMPLES[colour] ?? 0);
  const inflated = await inflateWhole(coded, rowBytes * height);
  if (inflated?.consumedBytes !== coded.length || inflated.rows.length !== rowBytes * height) return false;
  for (let at = 0; at < inflated.rows.length; at += rowBytes) if ((inflated.rows[at] ?? 0) > MAX_FILTER) return false;
  return true;
}

/** Up to IEND; null where a length or a checksum of a chunk that a decoder needs is wrong. */
function readChunks(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at + FRAME_BYTES <= bytes.length) {
    const end = at + FRAME_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (isCritical(type) && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  return null;
}

function isCritical(type: string): boolean {
  return (type.charCodeAt(0) & ANCILLARY_BIT) === 0;
}

function isPlainHeader(header: Buffer): boolean {
  const [depth, colour = -1, compression, filter, interlace] = header.subarray(8);
  const isKnown = header.length === HEADER_BYTES && compression === 0 && filter === 0;
  return isKnown && depth === 8 && colour in SAMPLES && interlace === 0;
}

function framed(type: string, data: Buffer[]): Buffer[] {
  const name = Buffer.from(type, 'latin1');
  const checksum = [name, ...data].reduce((sum, part) => crc32(part, sum), 0);
  return [uint32(bytesOf(data)), name, ...data, uint32(checksum)];
}

function bytesOf(parts: Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Null for data that is not a zlib stream, or inflates to more than `maxBytes`. */
function inflateWhole(data: Buffer, maxBytes: number): Promise<{ rows: Buffer; consumedBytes: number } | null> {
  return new Promise((resolve) => {
    // One output buffer of the right size: the default of 16 KiB takes twice the processor time. It holds one byte more,
    // because zlib reads the end of a stream only while there is room.
    const options = { info: true, chunkSize: maxBytes + 1, maxOutputLength: maxBytes };
    inflate(data, options, (error, result) => {
      if (error) return resolve(null);
      // The types of Node do not know the option `info`.
      const { buffer, engine } = result as unknown as { buffer: Buffer; engine: Inflate };
      resolve({ rows: buffer, consumedBytes: engine.bytesWritten });
    });
  });
}
