import { clamp, mix, smoothstep } from '../raster/curve';
import { createNoise, fractal } from '../raster/noise';
import { type RgbImage, fromSharp, toSharp } from '../raster/rgb-image';
import { type Random } from '../raster/random';
import { offsetAt, redrawn, tonesOf, unitOf } from './tone';

const MEDIAN_WINDOW = 5;
const PAPER = [250, 246, 236] as const;

/** Thin washes on rough paper: colours run at their borders, dry darker along their rims, and leave a margin bare. */
export async function watercolour(image: RgbImage, random: Random, boldness = 1): Promise<RgbImage> {
  const { width, height } = image;
  const unit = unitOf(image);
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const washes = await washed(image, (unit / 120) * boldness);
  const near = tonesOf(await fromSharp(toSharp(washes).blur(Math.max(0.5, unit / 500))));
  const wide = tonesOf(await fromSharp(toSharp(washes).blur(Math.max(0.8, unit / 90) * boldness)));
  return redrawn(image, (into, offset, x, y) => {
    const u = x / unit;
    const v = y / unit;
    const run = unit * 0.011 * boldness;
    const from = offsetAt(
      image,
      x + fractal(noise, u * 11, v * 11, 4) * run * 2,
      y + fractal(noise, u * 11 + 50, v * 11, 4) * run * 2,
    );
    // Pigment accumulates where a dark wash meets a light one.
    const rim = clamp((wide[from / 3]! - near[from / 3]!) * 3.2, 0, 1);
    const bloom = fractal(noise, u * 4 - 20, v * 4, 3) * 0.3;
    const grain = noise(u * 300, v * 300) * 0.5 + noise(u * 140 + 9, v * 140) * 0.5;
    const load = clamp(0.82 + rim * 0.75 + bloom + grain * 0.16, 0.25, 1.5) * painted(x, y, width, height, noise, unit);
    for (let c = 0; c < 3; c++) {
      const glaze = (washes.data[from + c]! / 255) ** 0.85;
      into[offset + c] = PAPER[c]! * mix(1, glaze, Math.min(load, 1)) * (1 - Math.max(0, load - 1) * 0.5) + grain * 3;
    }
  });
}

/** Flattens details smaller than a brush, on a smaller image, because the cost of a median grows with its window. */
async function washed(image: RgbImage, brush: number): Promise<RgbImage> {
  const { width, height } = image;
  const scale = Math.min(1, MEDIAN_WINDOW / brush);
  const small = await fromSharp(
    toSharp(image)
      .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), { fit: 'fill' })
      .median(MEDIAN_WINDOW),
  );
  const bright = { saturation: 1.35, brightness: 1.06 };
  return fromSharp(toSharp(small).resize(width, height, { fit: 'fill', kernel: 'cubic' }).modulate(bright));
}

/** How much paint reaches a place: the brush stops short of the paper's edge, at varying distances. */
function painted(
  x: number,
  y: number,
  width: number,
  height: number,
  noise: (x: number, y: number) => number,
  unit: number,
): number {
  const inward = Math.min(x, y, width - 1 - x, height - 1 - y) / unit;
  const ragged = fractal(noise, (x / unit) * 14 + 70, (y / unit) * 14, 4) * 0.035;
  const edge = inward - 0.028 + ragged;
  return smoothstep(0, 0.006, edge) * (1 + 0.35 * smoothstep(0.02, 0.004, edge));
}
