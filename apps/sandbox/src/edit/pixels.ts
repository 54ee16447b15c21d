import { clamp } from '../raster/curve';
import { type RgbImage } from '../raster/rgb-image';
import { createColourCube, lookUpColour } from '../paint/colour-cube';
import { type Grade } from '../paint/grade';

/** Changes each pixel on its own; `change` works on red, green and blue from 0 to 255. */
export function mapPixels(
  { width, height, data }: RgbImage,
  change: (colour: Float32Array, x: number, y: number) => void,
): RgbImage {
  const changed = new Uint8Array(data.length);
  const colour = new Float32Array(3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let c = 0; c < 3; c++) colour[c] = data[pixel * 3 + c]!;
    change(colour, pixel % width, Math.floor(pixel / width));
    for (let c = 0; c < 3; c++) changed[pixel * 3 + c] = Math.round(clamp(colour[c]!, 0, 255));
  }
  return { width, height, data: changed };
}

/** Changes lightness and tint. */
export function gradePixels(image: RgbImage, grade: Grade): RgbImage {
  const cube = createColourCube(grade);
  return mapPixels(image, (colour) => lookUpColour(cube, colour));
}

export function toneOf(colour: ArrayLike<number>): number {
  return colour[0]! * 0.299 + colour[1]! * 0.587 + colour[2]! * 0.114;
}

/** `#rrggbb` to three bytes. */
export function bytesOf(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
