import sharp, { type Channels, type Sharp } from 'sharp';
import { decoding, openImage } from '@kinora/images';
import type { ImageView, LoadedImage, Plane } from '../judging/engine';
import { PLANE_SIDE } from './perceptual-hash';

/** Models use far fewer pixels, and an image of this size is within the byte limit of every service. */
const MAX_SIDE_PX = 1024;
/** Azure refuses images with a shorter side. A very narrow image is stretched, because it must be judged. */
const MIN_SIDE_PX = 50;
const JPEG = { quality: 90 };
const PLANE_SHAPE = { width: PLANE_SIDE, height: PLANE_SIDE, fit: 'fill' } as const;
/** What the image model reads. */
export const SAMPLE_SIDE = 224;
const SAMPLE_SHAPE = { width: SAMPLE_SIDE, height: SAMPLE_SIDE, fit: 'fill' } as const;
const OPAQUE = 255;

interface Size {
  width: number;
  height: number;
}

/** Bytes of sRGB colours, row by row: three of each pixel, and a fourth for its alpha where there is transparency. */
interface Pixels extends Size {
  data: Buffer;
  channels: Channels;
}

/** A view before the image model has seen it, with the sample that it reads: RGB bytes of SAMPLE_SIDE pixels a side. */
export type DecodedView = Omit<ImageView, 'sexual'> & { sample: Buffer };

/**
 * Decodes the views that engines judge: upright, at most 1,024 pixels a side. A transparent image has two views, one over
 * white and one with the alpha channel ignored, because each can hide what the other shows.
 * @throws ImageProblem for a file that is not a complete image.
 */
export async function decodeImage(
  { bytes, pixels }: Pick<LoadedImage, 'bytes' | 'pixels'>,
  options: { withJpeg: boolean },
): Promise<DecodedView[]> {
  return pixels ? [await viewFrame(bytes, pixels, options)] : decodeFile(bytes, await readLayout(bytes), options);
}

/** What the head of a file says about its pixels. */
interface ImageLayout extends Size {
  hasAlpha: boolean;
}

/** @throws ImageProblem for a file that is no image. */
export async function readLayout(bytes: Buffer): Promise<ImageLayout> {
  const { hasAlpha, autoOrient } = await decoding(() => openImage(bytes).metadata());
  return { hasAlpha, ...autoOrient };
}

async function viewFrame(bytes: Buffer, pixels: Size, { withJpeg }: { withJpeg: boolean }): Promise<DecodedView> {
  const frame = sharp(bytes, { raw: { ...pixels, channels: 3 } });
  return toView(await toPixels(shrink(frame, shownSize(pixels, withJpeg))), withJpeg);
}

/** @throws ImageProblem for a file that is not a complete image. */
export async function decodeFile(
  bytes: Buffer,
  { hasAlpha, ...layout }: ImageLayout,
  { withJpeg }: { withJpeg: boolean },
): Promise<DecodedView[]> {
  const size = shownSize(layout, withJpeg);
  const upright = () => openImage(bytes).autoOrient().toColourspace('srgb');
  // The decoder of WebP shrinks while it decodes, and averages colours without their alpha. A pattern of visible and
  // invisible pixels could therefore hide an image from both views.
  const shrunk = await decoding(() => toPixels(shrink(upright(), size, { fastShrinkOnLoad: !hasAlpha })));
  if (!hasAlpha || isOpaque(shrunk)) return [await toView(shrunk, withJpeg)];
  const overWhite = await toPixels(open(shrunk).flatten({ background: '#ffffff' }));
  // The second view needs a second decode, of all pixels: resizing weighs each colour by its alpha, and so loses those of
  // invisible pixels. Holding one decode with its alpha for both views takes more processor time and twice the memory.
  const all = await decoding(() => toPixels(upright().removeAlpha()));
  const bare = await toPixels(shrink(open(all), size));
  return [await toView(overWhite, withJpeg), await toView(bare, withJpeg)];
}

/** Without external engines the sample is enough, and a JPEG or WebP is then decoded at a fraction of its size. */
function shownSize({ width, height }: Size, withJpeg: boolean): Size {
  if (!withJpeg) return SAMPLE_SHAPE;
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(width, height));
  const side = (px: number) => Math.max(MIN_SIDE_PX, Math.round(px * scale));
  return { width: side(width), height: side(height) };
}

function shrink(image: Sharp, size: Size, options: { fastShrinkOnLoad?: boolean } = {}): Sharp {
  return image.resize({ ...size, ...options, fit: 'fill' });
}

async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

function open({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

/** Whether the two views could not differ: no pixel is transparent. */
function isOpaque({ data, channels }: Pixels): boolean {
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== OPAQUE) return false;
  return true;
}

async function toView(shown: Pixels, withJpeg: boolean): Promise<DecodedView> {
  const opaque = () => open(shown).removeAlpha();
  const [jpeg, sample, plane] = await Promise.all([
    withJpeg ? opaque().jpeg(JPEG).toBuffer() : null,
    opaque().resize(SAMPLE_SHAPE).toColourspace('srgb').raw().toBuffer(),
    toPixels(open(shown).resize(PLANE_SHAPE)),
  ]);
  return { plane: luminanceOf(plane), jpeg, sample };
}

function luminanceOf({ data, channels }: Pixels): Plane {
  return Float64Array.from({ length: PLANE_SIDE ** 2 }, (_, pixel) => {
    const [red = 0, green = red, blue = red] = data.subarray(pixel * channels, (pixel + 1) * channels);
    return 0.299 * red + 0.587 * green + 0.114 * blue;
  });
}
