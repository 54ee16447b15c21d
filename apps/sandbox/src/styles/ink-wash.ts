import { clamp, mix, smoothstep } from '../raster/curve';
import { createNoise, fractal } from '../raster/noise';
import { type RgbImage, fromSharp, toSharp } from '../raster/rgb-image';
import { type Random } from '../raster/random';
import { redrawn, slopeAt, tonesOf, unitOf } from './tone';

const PAPER = [244, 238, 225] as const;
const INK = [26, 30, 38] as const;
/** Washes of ink, from bare paper to full black. */
const WASHES = 5;

/** Brushed tones of one ink that spread slightly on the paper, with contours between tones. */
export async function inkWash(image: RgbImage, random: Random, boldness = 1): Promise<RgbImage> {
  const unit = unitOf(image);
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const wet = tonesOf(
    await fromSharp(
      toSharp(image)
        .normalise()
        .blur(Math.max(0.6, unit / 260) * boldness),
    ),
  );
  const soft = tonesOf(
    await fromSharp(
      toSharp(image)
        .normalise()
        .blur(Math.max(0.5, unit / 700) * boldness),
    ),
  );
  return redrawn(image, (into, offset, x, y) => {
    const bleed = fractal(noise, (x / unit) * 22, (y / unit) * 22, 4) * 0.12 * boldness;
    const fibre = fractal(noise, (x / unit) * 150, (y / unit) * 60, 2) * 0.06;
    const tone = clamp(wet[offset / 3]! + bleed, 0, 1);
    const step = tone * WASHES;
    // The edge of a wash dries darker than its middle.
    const rim = Math.exp(-(((step % 1) / 0.13) ** 2)) * 0.07 * (1 - tone);
    const washed = (Math.floor(step) + smoothstep(0.1, 0.75, step % 1)) / WASHES;
    const line = smoothstep(0.035, 0.16, Math.hypot(...slopeAt(soft, image, x, y)));
    const ink = clamp(1 - washed * 1.04 + rim + line * 0.8 * boldness + fibre, 0, 0.97);
    for (let c = 0; c < 3; c++) into[offset + c] = mix(PAPER[c]! * (1 + fibre), INK[c]!, ink ** 1.15);
  });
}
