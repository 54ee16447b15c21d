import { clamp, mix, smoothstep } from '../raster/curve';
import { createNoise, fractal } from '../raster/noise';
import { type RgbImage, fromSharp, toSharp } from '../raster/rgb-image';
import { type Random } from '../raster/random';
import { redrawn, slopeAt, tonesOf, unitOf } from './tone';

const SHEET = [18, 62, 128] as const;
const CHALK = [232, 242, 255] as const;
/** Squares of the grid along the image's mean side; every fifth line is heavier. */
const SQUARES = 40;

/** White lines on blue paper with a grid: outlines between tones, hatching in the shadows, and a frame. */
export async function blueprint(image: RgbImage, random: Random, boldness = 1): Promise<RgbImage> {
  const { width, height } = image;
  const unit = unitOf(image);
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const grey = toSharp(image).greyscale().normalise();
  const fine = tonesOf(await fromSharp(grey.clone().blur(Math.max(0.5, unit / 850) * boldness)));
  const coarse = tonesOf(await fromSharp(grey.clone().blur(Math.max(0.7, unit / 320) * boldness)));
  const square = unit / SQUARES;
  const pen = Math.max(0.5, unit / 1400) * boldness;
  return redrawn(image, (into, offset, x, y) => {
    const outline = Math.max(
      smoothstep(0.03, 0.12, Math.hypot(...slopeAt(fine, image, x, y))) * 0.8,
      smoothstep(0.022, 0.075, Math.hypot(...slopeAt(coarse, image, x, y))),
    );
    const shade = smoothstep(0.5, 0.12, coarse[offset / 3]!);
    const hatch = stripe((x + y) / 1.42, square / 4.2, pen * 0.9) * shade * 0.42;
    const grid = Math.max(
      Math.max(stripe(x, square, pen * 0.6), stripe(y, square, pen * 0.6)) * 0.13,
      Math.max(stripe(x, square * 5, pen), stripe(y, square * 5, pen)) * 0.24,
    );
    const frame = frameAt(Math.min(x, y, width - 1 - x, height - 1 - y), unit, pen);
    const worn = 0.86 + fractal(noise, (x / unit) * 60, (y / unit) * 60, 3) * 0.5;
    const chalk = clamp(Math.max(outline, hatch, frame) * worn + grid, 0, 1);
    const paper = 1 + fractal(noise, (x / unit) * 3, (y / unit) * 3, 5) * 0.22 + coarse[offset / 3]! * 0.16;
    for (let c = 0; c < 3; c++) into[offset + c] = mix(SHEET[c]! * paper, CHALK[c]!, chalk);
  });
}

/** 1 on a line of a set of parallel lines, and 0 between them. */
function stripe(place: number, pitch: number, pen: number): number {
  const away = Math.abs(place - Math.round(place / pitch) * pitch);
  return clamp(pen + 0.5 - away, 0, 1);
}

function frameAt(inward: number, unit: number, pen: number): number {
  const outer = clamp(pen * 1.6 + 0.5 - Math.abs(inward - unit * 0.022), 0, 1);
  const inner = clamp(pen * 0.7 + 0.5 - Math.abs(inward - unit * 0.029), 0, 1);
  return Math.max(outer, inner);
}
