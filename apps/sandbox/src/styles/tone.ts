import { clamp } from '../raster/curve';
import { type RgbImage } from '../raster/rgb-image';

/** The perceived lightness of each pixel, 0 to 1. */
export function tonesOf({ width, height, data }: RgbImage): Float32Array {
  const tones = new Float32Array(width * height);
  for (let i = 0; i < tones.length; i++)
    tones[i] = (data[i * 3]! * 0.299 + data[i * 3 + 1]! * 0.587 + data[i * 3 + 2]! * 0.114) / 255;
  return tones;
}

/** The direction and the rate of the lightness gradient at a pixel. */
export function slopeAt(
  tones: Float32Array,
  { width, height }: RgbImage,
  x: number,
  y: number,
): [across: number, down: number] {
  const left = tones[y * width + Math.max(0, x - 1)]!;
  const right = tones[y * width + Math.min(width - 1, x + 1)]!;
  const upper = tones[Math.max(0, y - 1) * width + x]!;
  const lower = tones[Math.min(height - 1, y + 1) * width + x]!;
  return [right - left, lower - upper];
}

/** The data offset of the pixel that covers a place; the nearest one for a place outside. */
export function offsetAt({ width, height }: RgbImage, x: number, y: number): number {
  return (clamp(Math.round(y), 0, height - 1) * width + clamp(Math.round(x), 0, width - 1)) * 3;
}

/** The length by which marks are sized, so that a style looks the same at every size of the image. */
export function unitOf({ width, height }: RgbImage): number {
  return Math.sqrt(width * height);
}

/** A new image of the same size, pixel by pixel: `write` fills three bytes from `offset` on. */
export function redrawn(
  { width, height }: RgbImage,
  write: (into: Uint8ClampedArray, offset: number, x: number, y: number) => void,
): RgbImage {
  const data = new Uint8ClampedArray(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) write(data, (y * width + x) * 3, x, y);
  }
  return { width, height, data: new Uint8Array(data.buffer) };
}
