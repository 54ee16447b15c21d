import { createHash } from 'node:crypto';

import { readContainer } from './image-container';
import { decoding, MAX_SIDE_PX, openImage } from './image-decoder';
import { type ImageFormat, type ImageMime, sniffFormat } from './image-format';
import { ImageProblem } from './image-problem';

export interface ImageBounds {
  maxBytes: number;
  minSidePx: number;
  maxSidePx: number;
}

/** What is known of received bytes; the sides are those after EXIF orientation. */
export interface ImageFacts {
  sha256: string;
  width: number;
  height: number;
  mime: ImageMime;
}

export interface ImageHeader {
  format: ImageFormat;
  width: number;
  height: number;
}

const MIB = 1024 * 1024;

/** Spec, POST /images/edits: "image data, up to 10 MB … Each side is 64 to 4096 px." */
export const INPUT_BOUNDS: ImageBounds = { maxBytes: 10 * MIB, minSidePx: 64, maxSidePx: MAX_SIDE_PX };

/** Tells the facts of a client's image, or throws an ImageProblem; every pixel is decoded once, and none is kept. */
export async function inspectImage(bytes: Buffer, bounds: ImageBounds = INPUT_BOUNDS): Promise<ImageFacts> {
  const header = await readHeader(bytes, bounds);
  // Averaging all into one pixel reads the data to its end, where a cut shows, without keeping the picture in memory.
  await decoding(() => openImage(bytes).resize({ width: 1, height: 1, fit: 'fill' }).raw().toBuffer());
  return toFacts(bytes, header);
}

/** Checks all that can be known without decoding pixels, cheapest first. */
export async function readHeader(bytes: Buffer, bounds: ImageBounds): Promise<ImageHeader> {
  if (bytes.length > bounds.maxBytes) {
    throw new ImageProblem('too_many_bytes', `The image is larger than ${Math.floor(bounds.maxBytes / MIB)} MiB.`);
  }
  const format = sniffFormat(bytes);
  if (!format) throw new ImageProblem('not_an_image', 'The data is not a PNG, JPEG or WebP image.');
  const container = readContainer(bytes, format);
  if (container.animated) throw new ImageProblem('animated', 'Animated images are not accepted.');
  if (!container.complete) throw new ImageProblem('damaged', 'The image data is incomplete or damaged.');
  const { width, height } = (await decoding(() => openImage(bytes).metadata())).autoOrient;
  assertSides(width, height, bounds);
  return { format, width, height };
}

export function toFacts(bytes: Buffer, { format, width, height }: ImageHeader): ImageFacts {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), width, height, mime: `image/${format}` };
}

function assertSides(width: number, height: number, { minSidePx, maxSidePx }: ImageBounds): void {
  if (Math.min(width, height) < minSidePx) {
    throw new ImageProblem('too_small', `The image has fewer than ${minSidePx} pixels on a side.`);
  }
  if (Math.max(width, height) > maxSidePx) {
    throw new ImageProblem('too_large_side', `The image has more than ${maxSidePx} pixels on a side.`);
  }
}
