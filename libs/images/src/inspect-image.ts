import { createHash } from 'node:crypto';
import { decodeToTheEnd, MAX_SIDE_PX } from './image-decoder';
import type { ImageMime } from './image-format';
import { type ImageBounds, type ImageHeader, readHeader } from './image-header';

/** The facts of received bytes; the sides are those after EXIF orientation. */
export interface ImageFacts {
  sha256: string;
  width: number;
  height: number;
  mime: ImageMime;
}

/** Bounds of an image that a client sends (decisions: Input images). */
export const INPUT_BOUNDS: ImageBounds = { maxBytes: 10 * 1024 * 1024, minSidePx: 64, maxSidePx: MAX_SIDE_PX };

/**
 * Returns the facts of a client's image after all checks that need no pixels, or throws an ImageProblem. The pixels may still
 * be damaged: for a caller whose image is decoded elsewhere before it is used.
 */
export async function readImageFacts(bytes: Buffer, bounds: ImageBounds = INPUT_BOUNDS): Promise<ImageFacts> {
  return toFacts(bytes, await readHeader(bytes, bounds));
}

/** Returns the facts of a client's image, or throws an ImageProblem. Every pixel is decoded once, and none is kept. */
export async function inspectImage(bytes: Buffer, bounds: ImageBounds = INPUT_BOUNDS): Promise<ImageFacts> {
  const facts = await readImageFacts(bytes, bounds);
  await decodeToTheEnd(bytes);
  return facts;
}

export function toFacts(bytes: Buffer, { format, width, height }: ImageHeader): ImageFacts {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), width, height, mime: `image/${format}` };
}
