import type { RelabelledFile } from './image-format';

const HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
/** Chunks that would change the image; any other chunk that is not named here is metadata. */
const NOT_PLAIN = ['ICCP', 'ANIM', 'ANMF'];
const ALPHA_FLAG = 0x10;
const XMP_FLAG = 0x04;
/** Of a lossy frame: a key frame that is shown, and its start code. */
const FRAME_BITS = { delta: 0x01, shown: 0x10 };
const START_CODE = Buffer.from([0x9d, 0x01, 0x2a]);
const LOSSLESS_SIGNATURE = 0x2f;

interface Chunk {
  type: string;
  data: Buffer;
}

interface Frame {
  width: number;
  height: number;
  hasAlpha: boolean;
}

/**
 * The same coded pixels with `xmp`, if any, as the only metadata (RFC 9649): VP8X, the alpha channel if there is one, the image,
 * XMP. Every other chunk, and what follows the RIFF chunk, is dropped.
 * @returns null for a file that is not plain: one still image without a colour profile, lengths and sides consistent.
 */
export function relabelWebp(bytes: Buffer, xmp: string | null): RelabelledFile | null {
  const chunks = readChunks(bytes);
  const images = chunks?.filter(({ type }) => ['ALPH', 'VP8 ', 'VP8L'].includes(type));
  if (!chunks || !images || chunks.some(({ type }) => NOT_PLAIN.includes(type))) return null;
  const frame = readFrame(images);
  if (!frame || !matchesCanvas(frame, chunks)) return null;
  const label = xmp === null ? [] : [{ type: 'XMP ', data: Buffer.from(xmp) }];
  const canvas = { type: 'VP8X', data: canvasOf(frame, label.length > 0) };
  const body = [canvas, ...images, ...label].flatMap(framed);
  const riff = Buffer.alloc(HEAD_BYTES);
  riff.write('RIFF....WEBP', 'latin1');
  riff.writeUInt32LE(4 + body.reduce((sum, { length }) => sum + length, 0), 4);
  return { bytes: Buffer.concat([riff, ...body]), coded: images.map(({ data }) => data) };
}

/** Null where a chunk is longer than the file. */
function readChunks(bytes: Buffer): Chunk[] | null {
  const end = CHUNK_HEAD_BYTES + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  const chunks: Chunk[] = [];
  let at = HEAD_BYTES;
  while (at + CHUNK_HEAD_BYTES <= end) {
    const from = at + CHUNK_HEAD_BYTES;
    const length = bytes.readUInt32LE(at + 4);
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(from, from + length) });
    at = from + length + (length % 2);
  }
  return at === end ? chunks : null;
}

/** Of `VP8 `, `ALPH` and `VP8 `, or `VP8L`; null for any other sequence. */
function readFrame(images: Chunk[]): Frame | null {
  const [image, ...before] = images.toReversed();
  const [alpha] = before;
  if (!image || before.length > 1) return null;
  if (image.type === 'VP8L') return alpha ? null : readLossless(image.data);
  if (image.type !== 'VP8 ' || (alpha && alpha.type !== 'ALPH')) return null;
  return readLossy(image.data, alpha !== undefined);
}

/** RFC 6386, section 9.1. */
function readLossy(data: Buffer, hasAlpha: boolean): Frame | null {
  if (data.length < 10 || !data.subarray(3, 6).equals(START_CODE)) return null;
  const [bits = 0] = data;
  const isShown = (bits & FRAME_BITS.delta) === 0 && (bits & FRAME_BITS.shown) !== 0;
  const [width, height] = [data.readUInt16LE(6), data.readUInt16LE(8)];
  // The two highest bits of a side ask for scaling, which decoders treat differently.
  return isShown && width < 1 << 14 && height < 1 << 14 ? { width, height, hasAlpha } : null;
}

/** RFC 9649, section 3.4: 14 bits a side, less one; alpha; three bits of the version. */
function readLossless(data: Buffer): Frame | null {
  if (data.length < 5 || data[0] !== LOSSLESS_SIGNATURE) return null;
  const bits = data.readUInt32LE(1);
  const side = (shift: number): number => 1 + ((bits >>> shift) & 0x3fff);
  return bits >>> 29 === 0 ? { width: side(0), height: side(14), hasAlpha: ((bits >>> 28) & 1) === 1 } : null;
}

/** A file without a canvas has a lossy image without alpha, or a lossless one. */
function matchesCanvas(frame: Frame, [first, ...rest]: Chunk[]): boolean {
  if (rest.some(({ type }) => type === 'VP8X')) return false;
  if (first?.type !== 'VP8X') return first?.type === 'VP8L' || !frame.hasAlpha;
  const declared = first.data;
  const isAlphaDeclared = ((declared[0] ?? 0) & ALPHA_FLAG) !== 0;
  return declared.length === 10 && declared.subarray(4).equals(sidesOf(frame)) && (isAlphaDeclared || !frame.hasAlpha);
}

function canvasOf(frame: Frame, hasXmp: boolean): Buffer {
  const flags = (hasXmp ? XMP_FLAG : 0) | (frame.hasAlpha ? ALPHA_FLAG : 0);
  return Buffer.concat([Buffer.from([flags, 0, 0, 0]), sidesOf(frame)]);
}

function sidesOf({ width, height }: Frame): Buffer {
  const sides = Buffer.alloc(6);
  sides.writeUIntLE(width - 1, 0, 3);
  sides.writeUIntLE(height - 1, 3, 3);
  return sides;
}

function framed({ type, data }: Chunk): Buffer[] {
  const head = Buffer.alloc(CHUNK_HEAD_BYTES);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return [head, data, Buffer.alloc(data.length % 2)];
}
