import type { Metadata } from 'sharp';
import { readContainer } from './image-container';
import { decoding, openImage } from './image-decoder';
import { type ImageFormat, sniffFormat } from './image-format';
import { ImageProblem } from './image-problem';

export interface ImageBounds {
  maxBytes: number;
  minSidePx: number;
  maxSidePx: number;
}

/** The facts of an image before its pixels are decoded; the sides are those after EXIF orientation. */
export interface ImageHeader {
  format: ImageFormat;
  width: number;
  height: number;
  /** Whether the coded pixels are the image as it is shown: upright, 8 bits, sRGB or grey without a colour profile. */
  isPlain: boolean;
}

const MIB = 1024 * 1024;
/** Of EXIF. */
const UPRIGHT = 1;
const PLAIN_SPACES: readonly string[] = ['srgb', 'b-w'];

/** Checks everything that is known without decoding pixels, cheapest first. */
export async function readHeader(bytes: Buffer, bounds: ImageBounds): Promise<ImageHeader> {
  if (bytes.length > bounds.maxBytes) {
    throw new ImageProblem('too_many_bytes', `The image is larger than ${Math.floor(bounds.maxBytes / MIB)} MiB.`);
  }
  const format = sniffFormat(bytes);
  if (!format) throw new ImageProblem('not_an_image', 'The data is not a PNG, JPEG or WebP image.');
  const container = readContainer(bytes, format);
  if (container.animated) throw new ImageProblem('animated', 'Animated images are not accepted.');
  if (!container.complete) throw new ImageProblem('damaged', 'The image data is incomplete or damaged.');
  if (container.laborious) throw new ImageProblem('damaged', 'The image has far more scans than it needs.');
  const metadata = await decoding(() => openImage(bytes).metadata());
  const { width, height } = metadata.autoOrient;
  assertSides(width, height, bounds);
  return { format, width, height, isPlain: isPlain(metadata) };
}

function isPlain({ orientation = UPRIGHT, depth, space, hasProfile }: Metadata): boolean {
  return orientation === UPRIGHT && depth === 'uchar' && PLAIN_SPACES.includes(space) && !hasProfile;
}

function assertSides(width: number, height: number, { minSidePx, maxSidePx }: ImageBounds): void {
  if (Math.min(width, height) < minSidePx) {
    throw new ImageProblem('too_small', `The image has fewer than ${minSidePx} pixels on a side.`);
  }
  if (Math.max(width, height) > maxSidePx) {
    throw new ImageProblem('too_large_side', `The image has more than ${maxSidePx} pixels on a side.`);
  }
}
