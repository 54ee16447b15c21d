import type { ImageFormat } from './image-format';

export interface ContainerFacts {
  animated: boolean;
  complete: boolean;
}

const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum, which surround the data of each PNG chunk. */
const PNG_CHUNK_FRAME_BYTES = 12;
/** Chunk types, read as one big-endian number each. */
const PNG_ANIMATION_CONTROL = 0x6163544c;
const PNG_END = 0x49454e44;
const WEBP_FLAGS_OFFSET = 20;
const WEBP_ANIMATION_FLAG = 0x02;

/**
 * Reads what the decoder keeps to itself: it shows an animated PNG as a still one,
 * an animation of one frame as a picture, and a PNG that lost its last chunk as whole.
 */
export function readContainer(bytes: Buffer, format: ImageFormat): ContainerFacts {
  switch (format) {
    case 'png':
      return readPng(bytes);
    case 'webp':
      return readWebp(bytes);
    case 'jpeg':
      // JPEG has no animation, and its decoder notices a missing end.
      return { animated: false, complete: true };
  }
}

function readPng(bytes: Buffer): ContainerFacts {
  let animated = false;
  let offset = PNG_SIGNATURE_BYTES;
  while (offset + PNG_CHUNK_FRAME_BYTES <= bytes.length) {
    const type = bytes.readUInt32BE(offset + 4);
    if (type === PNG_ANIMATION_CONTROL) animated = true;
    if (type === PNG_END) return { animated, complete: true };
    offset += PNG_CHUNK_FRAME_BYTES + bytes.readUInt32BE(offset);
  }
  return { animated, complete: false };
}

function readWebp(bytes: Buffer): ContainerFacts {
  const isExtended = bytes.toString('latin1', 12, 16) === 'VP8X';
  const flags = isExtended ? (bytes[WEBP_FLAGS_OFFSET] ?? 0) : 0;
  // The decoder refuses a file shorter than its RIFF header says.
  return { animated: (flags & WEBP_ANIMATION_FLAG) !== 0, complete: true };
}
