import { nextJpegMarker } from './image-container';
import type { ImageFormat } from './image-format';

/** A chunk or segment of an image file. */
interface Part {
  type: string;
  content: Buffer;
}

interface Container {
  partsOf: (bytes: Buffer) => Generator<Part>;
  isPicture: (part: Part) => boolean;
  isCredential: (part: Part) => boolean;
}

/** What lies where nothing has a right to be: behind the end, or between two parts. */
const STRAY: Part = { type: 'stray', content: Buffer.alloc(0) };

const PNG_PICTURE = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'bKGD', 'pHYs', 'IDAT', 'IEND'];
const WEBP_PICTURE = ['VP8X', 'VP8 ', 'VP8L', 'ALPH'];
/** Quantization, frame (baseline, extended, progressive), Huffman tables, restarts, scan, end. */
const JPEG_PICTURE = ['db', 'c0', 'c1', 'c2', 'c4', 'dd', 'da', 'd9'];

const CONTAINERS: Record<ImageFormat, Container> = {
  png: {
    partsOf: pngParts,
    isPicture: ({ type }) => PNG_PICTURE.includes(type),
    isCredential: ({ type }) => type === 'caBX',
  },
  jpeg: {
    partsOf: jpegParts,
    isPicture: (part) => JPEG_PICTURE.includes(part.type) || isJfifHeader(part) || isAdobeHeader(part),
    // JUMBF, split over as many segments as it needs; no other use of it is known among images.
    isCredential: ({ type, content }) => type === 'eb' && content.toString('latin1', 0, 2) === 'JP',
  },
  webp: {
    partsOf: webpParts,
    isPicture: ({ type }) => WEBP_PICTURE.includes(type),
    isCredential: ({ type }) => type === 'C2PA',
  },
};

/**
 * Whether a file is signed with a content credential (C2PA) and says nothing beside it and the picture. The signature covers
 * every byte of the file: whatever is taken away, added or encoded anew makes it a broken one.
 */
export function holdsOnlyCredential(bytes: Buffer, format: ImageFormat): boolean {
  const { partsOf, isPicture, isCredential } = CONTAINERS[format];
  let isSigned = false;
  for (const part of partsOf(bytes)) {
    if (isCredential(part)) isSigned = true;
    else if (!isPicture(part)) return false;
  }
  return isSigned;
}

function* pngParts(bytes: Buffer): Generator<Part> {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at);
    yield { type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, end) };
    at = end + 4;
  }
  if (at !== bytes.length) yield STRAY;
}

function* webpParts(bytes: Buffer): Generator<Part> {
  let at = 12;
  while (at + 8 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    yield { type: bytes.toString('latin1', at, at + 4), content: bytes.subarray(at + 8, end) };
    at = end + (end % 2);
  }
  if (at !== bytes.length || bytes.readUInt32LE(4) + 8 !== bytes.length) yield STRAY;
}

/** A type is the second byte of the marker, in hexadecimal. */
function* jpegParts(bytes: Buffer): Generator<Part> {
  let at = 2;
  while (at !== -1 && at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xd9) {
    const type = bytes.toString('hex', at + 1, at + 2);
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    yield { type, content: bytes.subarray(at + 4, end) };
    at = type === 'da' ? nextJpegMarker(bytes, end) : end;
  }
  if (at === -1 || at + 2 !== bytes.length || bytes.readUInt16BE(at) !== 0xffd9) yield STRAY;
}

/** Exactly as long as it is without a thumbnail. */
function isJfifHeader({ type, content }: Part): boolean {
  return type === 'e0' && content.length === 14 && content.toString('latin1', 0, 5) === 'JFIF\0';
}

/** Tells how the colours are stored. */
function isAdobeHeader({ type, content }: Part): boolean {
  return type === 'ee' && content.length === 12 && content.toString('latin1', 0, 5) === 'Adobe';
}
