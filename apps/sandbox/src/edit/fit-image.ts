import { type RgbImage, fromSharp, toSharp } from '../raster/rgb-image';
import sharp from 'sharp';

/**
 * Scales an image to an exact size and keeps all of its content. If the proportions differ, the rest of the area shows
 * the image itself, enlarged and out of focus. `cover` fills the area instead and crops what exceeds it.
 */
export async function fitImage(
  image: RgbImage,
  width: number,
  height: number,
  fit: 'inside' | 'cover' = 'inside',
): Promise<RgbImage> {
  if (image.width === width && image.height === height) return image;
  if (fit === 'cover') return fromSharp(toSharp(image).resize(width, height, { fit: 'cover' }));
  const scale = Math.min(width / image.width, height / image.height);
  const innerWidth = Math.max(1, Math.round(image.width * scale));
  const innerHeight = Math.max(1, Math.round(image.height * scale));
  // A rounding difference of a pixel needs no frame.
  if (width - innerWidth <= 2 && height - innerHeight <= 2)
    return fromSharp(toSharp(image).resize(width, height, { fit: 'fill' }));
  const inner = await toSharp(image).resize(innerWidth, innerHeight, { fit: 'fill' }).png().toBuffer();
  return layOver(
    await backdropOf(image, width, height),
    inner,
    Math.floor((width - innerWidth) / 2),
    Math.floor((height - innerHeight) / 2),
  );
}

/** The image as a soft, slightly darker background of the given size. */
export function backdropOf(image: RgbImage, width: number, height: number): Promise<RgbImage> {
  const softness = Math.max(2, Math.min(width, height) / 22);
  return fromSharp(
    toSharp(image).resize(width, height, { fit: 'cover' }).blur(softness).modulate({ brightness: 0.82 }),
  );
}

/** Draws an image file, which may have transparent parts, over an image. */
export function layOver(ground: RgbImage, file: Buffer, left: number, top: number): Promise<RgbImage> {
  return fromSharp(toSharp(ground).composite([{ input: file, left, top }]));
}

export function plainImage(width: number, height: number, background: string): Promise<RgbImage> {
  return fromSharp(sharp({ create: { width, height, channels: 3, background } }));
}
