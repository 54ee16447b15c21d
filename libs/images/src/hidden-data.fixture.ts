import { deflateSync, inflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { jpegSegment, painting, pngChunk, webpChunk } from './painting.fixture';

/** Printable and longer than any run that coded pixels contain by chance. */
export const SECRET = Buffer.from('a secret workflow, prompt or picture of 64 bytes that must not go');
export const SIZE = { width: 96, height: 64 };

const image = (): Sharp => painting(SIZE.width, SIZE.height);
const rgba = { ...SIZE, channels: 4, background: { r: 10, g: 90, b: 200, alpha: 0.4 } } as const;

/** Files that pass with their pixels unchanged, by name; the extension is the format. */
export const PLAIN_FILES: Readonly<Record<string, () => Sharp>> = {
  'RGB.png': () => image().png(),
  'RGBA.png': () => sharp({ create: rgba }).png(),
  'grey.png': () => image().toColourspace('b-w').png(),
  '4:4:4.jpeg': () => image().jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
  '4:2:0.jpeg': () => image().jpeg({ quality: 75 }),
  'grey.jpeg': () => image().toColourspace('b-w').jpeg(),
  'lossy.webp': () => image().webp({ quality: 80 }),
  'lossless.webp': () => image().webp({ lossless: true }),
  'alpha.webp': () => sharp({ create: rgba }).webp(),
};

/** Files that a decoder must show in another way than their coded pixels, or that are written in an unusual way. */
export const UNUSUAL_FILES: Readonly<Record<string, () => Promise<Buffer>>> = {
  'palette.png': () => image().png({ palette: true }).toBuffer(),
  'interlaced.png': () => image().png({ progressive: true }).toBuffer(),
  '16 bits.png': () => image().toColourspace('rgb16').png().toBuffer(),
  'wide gamut.png': () => image().withIccProfile('p3').png().toBuffer(),
  'progressive.jpeg': () => image().jpeg({ progressive: true }).toBuffer(),
  'CMYK.jpeg': () => image().toColourspace('cmyk').jpeg().toBuffer(),
  'wide gamut.jpeg': () => image().withIccProfile('p3').jpeg().toBuffer(),
  'wide gamut.webp': () => image().withIccProfile('p3').webp().toBuffer(),
  // A quarter turn, so the stored sides are the other way round.
  'lying.jpeg': () => turned().jpeg().toBuffer(),
  'lying.png': () => turned().png().toBuffer(),
  'lying.webp': () => turned().webp().toBuffer(),
};

function turned(): Sharp {
  return painting(SIZE.height, SIZE.width).withMetadata({ orientation: 6 });
}

type Hide = (file: Buffer) => Buffer;

/** Places outside the coded pixels: they are dropped, and the coded pixels stay. */
export const HIDDEN_BESIDE_PIXELS: Readonly<Record<string, Hide>> = {
  'text.png': (file) => withPngChunk(file, 33, 'tEXt', SECRET),
  'text behind the pixels.png': (file) => withPngChunk(file, file.length - 12, 'zTXt', SECRET),
  'unknown ancillary chunk.png': (file) => withPngChunk(file, 33, 'prVt', SECRET),
  'EXIF.png': (file) => withPngChunk(file, 33, 'eXIf', SECRET),
  'gamma.png': (file) => withPngChunk(file, 33, 'gAMA', Buffer.from([0, 1, 0x86, 0xa0])),
  'behind IEND.png': (file) => Buffer.concat([file, SECRET]),
  'second file.png': (file) => Buffer.concat([file, withPngChunk(file, 33, 'tEXt', SECRET)]),
  'comment.jpeg': (file) => withSegment(file, 0xfe, SECRET),
  'application data.jpeg': (file) => withSegment(file, 0xed, SECRET),
  'behind EOI.jpeg': (file) => Buffer.concat([file, SECRET]),
  'second image.jpeg': (file) =>
    Buffer.concat([withSegment(file, 0xe2, Buffer.from('MPF\0')), withSegment(file, 0xfe, SECRET)]),
  'unknown chunk.webp': (file) => withWebpChunk(file, 'prvt', SECRET),
  'odd chunk.webp': (file) => withWebpChunk(file, 'prvt', SECRET.subarray(1)),
  'EXIF.webp': (file) => withWebpChunk(file, 'EXIF', SECRET),
  'behind the RIFF chunk.webp': (file) => Buffer.concat([file, SECRET]),
};

/** Places within the coded pixels, or in tables that no decoder reads: the file is encoded anew. */
export const HIDDEN_AMONG_PIXELS: Readonly<Record<string, Hide>> = {
  'behind the zlib stream.png': (file) => withPixels(file, (coded) => [Buffer.concat([coded, SECRET])]),
  'one byte behind the zlib stream.png': (file) =>
    withPixels(file, (coded) => [Buffer.concat([coded, Buffer.from([7])])]),
  'IDAT of its own.png': (file) => withPixels(file, (coded) => [coded, SECRET]),
  'rows too many.png': (file) =>
    withPixels(file, (coded) => [deflateSync(Buffer.concat([inflateSync(coded), SECRET]), { level: 0 })]),
  'suggested palette.png': (file) => withPngChunk(file, 33, 'PLTE', SECRET.subarray(0, 63)),
  'behind the scan.jpeg': (file) => Buffer.concat([file.subarray(0, -2), SECRET, file.subarray(-2)]),
  'between segments.jpeg': (file) => {
    const behindFirst = 4 + file.readUInt16BE(4);
    return Buffer.concat([file.subarray(0, behindFirst), SECRET, file.subarray(behindFirst)]);
  },
  'unused table.jpeg': (file) => withSegment(file, 0xdb, Buffer.concat([Buffer.from([3]), SECRET.subarray(0, 64)])),
  'table defined twice.jpeg': (file) =>
    withSegment(file, 0xdb, Buffer.concat([Buffer.from([0]), SECRET.subarray(0, 64)])),
  'Adobe marker.jpeg': (file) => withSegment(file, 0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1')),
  'behind the image.webp': (file) => {
    const coded = Buffer.concat([file.subarray(20, 20 + file.readUInt32LE(16)), SECRET]);
    return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), webpChunk('VP8 ', coded)]));
  },
};

/** Concatenated data of all chunks IDAT; of a PNG that the tests made. */
export function pngPixels(file: Buffer): Buffer {
  return Buffer.concat(pngChunks(file).flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])));
}

export function pngChunks(file: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const data = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data });
  }
  return chunks;
}

function withPixels(file: Buffer, change: (coded: Buffer) => Buffer[]): Buffer {
  const parts = change(pngPixels(file)).map((data) => pngChunk('IDAT', data));
  return Buffer.concat([file.subarray(0, 33), ...parts, pngChunk('IEND', Buffer.alloc(0))]);
}

function withPngChunk(file: Buffer, at: number, type: string, data: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, at), pngChunk(type, data), file.subarray(at)]);
}

function withSegment(file: Buffer, marker: number, data: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, 2), jpegSegment(marker, data), file.subarray(2)]);
}

function withWebpChunk(file: Buffer, type: string, data: Buffer): Buffer {
  return webpChunk('RIFF', Buffer.concat([file.subarray(8), Buffer.alloc(file.length % 2), webpChunk(type, data)]));
}
