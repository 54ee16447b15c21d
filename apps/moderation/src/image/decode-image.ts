import sharp, { type Sharp } from 'sharp';
import { decoding, openImage } from '@kinora/images';
import type { ImageView, LoadedImage, Plane } from '../judging/engine';
import { PLANE_SIDE } from './perceptual-hash';

/** Models use far fewer pixels, and an image of this size is within the byte limit of every service. */
const MAX_SIDE_PX = 1024;
/** Azure refuses images with a shorter side. A very narrow image is stretched, because it must be judged. */
const MIN_SIDE_PX = 50;
const JPEG = { quality: 90 };
const PLANE_SHAPE = { width: PLANE_SIDE, height: PLANE_SIDE, fit: 'fill' } as const;

/**
 * Decodes the views that engines judge: upright, at most 1,024 pixels a side. A transparent image has two views, one over
 * white and one with the alpha channel ignored, because each can hide what the other shows.
 * @throws ImageProblem for a file that is not a complete image.
 */
export async function decodeImage(
  { bytes, pixels }: Pick<LoadedImage, 'bytes' | 'pixels'>,
  { withJpeg }: { withJpeg: boolean },
): Promise<ImageView[]> {
  const toView = (image: Sharp, size: Size) => decoding(() => makeView(image, size, withJpeg));
  if (pixels) return [await toView(sharp(bytes, { raw: { ...pixels, channels: 3 } }), pixels)];
  const { hasAlpha, autoOrient } = await decoding(() => openImage(bytes).metadata());
  const open = () => openImage(bytes).autoOrient();
  if (!hasAlpha) return [await toView(open(), autoOrient)];
  // Resizing weighs each pixel by its alpha, so the two views are separated before it. Each view decodes the file again, row
  // by row. That takes less processor time than keeping all pixels of one decode (up to 67 MB) and reading them twice.
  const overWhite = await toView(open().toColourspace('srgb').flatten({ background: '#ffffff' }), autoOrient);
  return [overWhite, await toView(open().toColourspace('srgb').removeAlpha(), autoOrient)];
}

interface Size {
  width: number;
  height: number;
}

async function makeView(image: Sharp, size: Size, withJpeg: boolean): Promise<ImageView> {
  const shrink = () => image.resize(shownSize(size)).toColourspace('srgb').removeAlpha().raw();
  const { data, info } = await shrink().toBuffer({ resolveWithObject: true });
  const open = () => sharp(data, { raw: info });
  const jpeg = withJpeg ? await open().jpeg(JPEG).toBuffer() : null;
  return { plane: luminanceOf(await open().resize(PLANE_SHAPE).raw().toBuffer()), jpeg };
}

function shownSize({ width, height }: Size): Size & { fit: 'fill' } {
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(width, height));
  const side = (px: number) => Math.max(MIN_SIDE_PX, Math.round(px * scale));
  return { width: side(width), height: side(height), fit: 'fill' };
}

function luminanceOf(pixels: Buffer): Plane {
  const channels = pixels.length / PLANE_SIDE ** 2;
  return Float64Array.from({ length: PLANE_SIDE ** 2 }, (_, pixel) => {
    const [red = 0, green = red, blue = red] = pixels.subarray(pixel * channels, (pixel + 1) * channels);
    return 0.299 * red + 0.587 * green + 0.114 * blue;
  });
}
