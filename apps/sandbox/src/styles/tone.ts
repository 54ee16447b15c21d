import { type Picture } from '../raster/picture';

/** How light each pixel looks, 0 to 1. */
export function tonesOf({ width, height, data }: Picture): Float32Array {
  const tones = new Float32Array(width * height);
  for (let i = 0; i < tones.length; i++)
    tones[i] = (data[i * 3]! * 0.299 + data[i * 3 + 1]! * 0.587 + data[i * 3 + 2]! * 0.114) / 255;
  return tones;
}

/** A picture in the same place, pixel by pixel: `write` fills three bytes from `offset` on. */
export function redrawn(
  { width, height }: Picture,
  write: (into: Uint8Array, offset: number, x: number, y: number) => void,
): Picture {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) write(data, (y * width + x) * 3, x, y);
  }
  return { width, height, data };
}
