import { type RgbImage, fromSharp, toSharp } from '../raster/rgb-image';
import { type Random } from '../raster/random';
import { redrawn } from './tone';

/** The longer side of the image, in large pixels. */
const LARGE_PIXELS = 128;
const LEVELS = 8;
/** Bayer's matrix: evenly scattered thresholds, so that two colours of the small palette appear mixed. */
const THRESHOLDS = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((value) => (value + 0.5) / 16 - 0.5);

/** Large square pixels and a small palette. */
export async function pixelArt(image: RgbImage, _random: Random, boldness = 1): Promise<RgbImage> {
  const scale = LARGE_PIXELS / boldness / Math.max(image.width, image.height);
  const columns = Math.max(1, Math.round(image.width * scale));
  const rows = Math.max(1, Math.round(image.height * scale));
  const small = await fromSharp(
    toSharp(image).modulate({ saturation: 1.25 }).resize(columns, rows, { fit: 'fill', kernel: 'cubic' }).sharpen(),
  );
  const limited = redrawn(small, (into, offset, x, y) => {
    const threshold = THRESHOLDS[(y % 4) * 4 + (x % 4)]! * 0.55;
    for (let c = 0; c < 3; c++) {
      const level = Math.round((small.data[offset + c]! / 255) * (LEVELS - 1) + threshold);
      into[offset + c] = (Math.min(LEVELS - 1, Math.max(0, level)) / (LEVELS - 1)) * 255;
    }
  });
  return fromSharp(toSharp(limited).resize(image.width, image.height, { fit: 'fill', kernel: 'nearest' }));
}
