import { type Picture, fromSharp, toSharp } from '../raster/picture';
import { bytesOf } from './pixels';

/**
 * Brings a picture to an exact size. Its content is kept whole; where the proportions differ, the rest of the area shows the
 * picture itself, large and out of focus. `cover` fills the area instead and cuts what sticks out.
 */
export async function fitPicture(
  picture: Picture,
  width: number,
  height: number,
  fit: 'inside' | 'cover' = 'inside',
): Promise<Picture> {
  if (picture.width === width && picture.height === height) return picture;
  if (fit === 'cover') return fromSharp(toSharp(picture).resize(width, height, { fit: 'cover' }));
  const scale = Math.min(width / picture.width, height / picture.height);
  const innerWidth = Math.max(1, Math.round(picture.width * scale));
  const innerHeight = Math.max(1, Math.round(picture.height * scale));
  // A pixel more or less of rounding is no reason for a frame.
  if (width - innerWidth <= 2 && height - innerHeight <= 2)
    return fromSharp(toSharp(picture).resize(width, height, { fit: 'fill' }));
  const inner = await toSharp(picture).resize(innerWidth, innerHeight, { fit: 'fill' }).png().toBuffer();
  return layOver(
    await backdropOf(picture, width, height),
    inner,
    Math.floor((width - innerWidth) / 2),
    Math.floor((height - innerHeight) / 2),
  );
}

/** The picture as a soft, slightly darker ground of the given size. */
export function backdropOf(picture: Picture, width: number, height: number): Promise<Picture> {
  const softness = Math.max(2, Math.min(width, height) / 22);
  return fromSharp(
    toSharp(picture).resize(width, height, { fit: 'cover' }).blur(softness).modulate({ brightness: 0.82 }),
  );
}

/** Lays an image file, which may have transparent parts, over a picture. */
export function layOver(ground: Picture, file: Buffer, left: number, top: number): Promise<Picture> {
  return fromSharp(toSharp(ground).composite([{ input: file, left, top }]));
}

export function plainPicture(width: number, height: number, hex: string): Picture {
  const data = new Uint8Array(width * height * 3);
  const bytes = bytesOf(hex);
  for (let offset = 0; offset < data.length; offset += 3) data.set(bytes, offset);
  return { width, height, data };
}
