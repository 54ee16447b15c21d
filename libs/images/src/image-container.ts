import type { ImageFormat } from './image-format';

export interface ContainerFacts {
  animated: boolean;
  complete: boolean;
  /** Whether the file makes the decoder pass over its pixels far more often than any encoder needs. */
  laborious: boolean;
}

const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum around the data of each PNG chunk. */
const PNG_CHUNK_FRAME_BYTES = 12;
/** Chunk types, read as one big-endian number each. */
const PNG_ANIMATION_CONTROL = 0x6163544c;
const PNG_END = 0x49454e44;
const WEBP_FLAGS_OFFSET = 20;
const WEBP_ANIMATION_FLAG = 0x02;
/** Encoders write about ten. Each scan is one more pass over all pixels, and can be as short as thirty bytes. */
const JPEG_SCANS_MAX = 100;
const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;

/**
 * Reads facts that the decoder does not report. The decoder reads an animated PNG as a still image, and an animation
 * of one frame as an image. It accepts a PNG without its last chunk as complete.
 */
export function readContainer(bytes: Buffer, format: ImageFormat): ContainerFacts {
  switch (format) {
    case 'png':
      return readPng(bytes);
    case 'webp':
      return readWebp(bytes);
    case 'jpeg':
      // JPEG has no animation, and its decoder detects a missing end.
      return { animated: false, complete: true, laborious: countJpegScans(bytes) > JPEG_SCANS_MAX };
  }
}

function readPng(bytes: Buffer): ContainerFacts {
  let animated = false;
  let offset = PNG_SIGNATURE_BYTES;
  while (offset + PNG_CHUNK_FRAME_BYTES <= bytes.length) {
    const type = bytes.readUInt32BE(offset + 4);
    if (type === PNG_ANIMATION_CONTROL) animated = true;
    if (type === PNG_END) return { animated, complete: true, laborious: false };
    offset += PNG_CHUNK_FRAME_BYTES + bytes.readUInt32BE(offset);
  }
  return { animated, complete: false, laborious: false };
}

function readWebp(bytes: Buffer): ContainerFacts {
  const isExtended = bytes.toString('latin1', 12, 16) === 'VP8X';
  const flags = isExtended ? (bytes[WEBP_FLAGS_OFFSET] ?? 0) : 0;
  // The decoder refuses a file shorter than its RIFF header declares.
  return { animated: (flags & WEBP_ANIMATION_FLAG) !== 0, complete: true, laborious: false };
}

/** Walks from marker to marker, so that scans of a thumbnail or of trailing data are not counted. */
function countJpegScans(bytes: Buffer): number {
  let scans = 0;
  let at = nextJpegMarker(bytes, 2);
  while (at !== -1 && at + 4 <= bytes.length && bytes[at + 1] !== JPEG_END) {
    if (bytes[at + 1] === JPEG_SCAN) scans += 1;
    at = nextJpegMarker(bytes, at + 2 + bytes.readUInt16BE(at + 2));
  }
  return scans;
}

/** The next 0xff that is not padding, a data byte, or a restart marker. */
function nextJpegMarker(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && !isSegment(bytes[at + 1] ?? 0)) at = bytes.indexOf(0xff, at + 1);
  return at;
}

function isSegment(marker: number): boolean {
  return marker !== 0x00 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7);
}
