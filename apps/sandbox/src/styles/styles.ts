import { type StyleOrder } from '../drawing/draw-order';
import { fromHex, linearToSrgb, mixColours } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { createNoise, fractal } from '../raster/noise';
import { createRandom, pick, type Random } from '../raster/random';
import { blendImages, fromSharp, mapPixels, measure, type RgbImage, toneOf, toSharp } from '../raster/rgb-image';

/**
 * Redraws an image in one style; the same random series gives the same result. `boldness`, from 1 to 1.5, makes the
 * style itself coarser, for strengths above a full blend over the image.
 */
type Style = (image: RgbImage, random: Random, boldness?: number) => RgbImage | Promise<RgbImage>;

/** By the ids of the LoRAs in the built-in catalog. */
export const STYLES: Readonly<Record<string, Style>> = {
  'ink-wash': inkWash,
  'pixel-art': pixelArt,
  duotone,
  halftone,
  watercolour,
};

/** Applies the styles in sequence, each blended over the image by its strength. An unknown style has no effect. */
export async function applyStyles(image: RgbImage, orders: readonly StyleOrder[], seed: number): Promise<RgbImage> {
  let current = image;
  for (const { id, strength } of orders) {
    const styled = await STYLES[id]?.(current, createRandom(seed), Math.max(1, strength));
    if (styled) current = blendImages(current, styled, Math.min(strength, 1));
  }
  return current;
}

function softened(image: RgbImage, radius: number): Promise<RgbImage> {
  return fromSharp(toSharp(image).blur(Math.max(0.5, radius)));
}

/** Brushed tones of one ink that spread slightly on the paper, with contours between tones. */
async function inkWash(image: RgbImage, random: Random, boldness = 1): Promise<RgbImage> {
  const unit = measure(image);
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const grey = await fromSharp(toSharp(image).greyscale().normalise());
  const wet = await softened(grey, (unit / 260) * boldness);
  const wide = await softened(grey, (unit / 110) * boldness);
  return mapPixels(image, (colour, x, y, offset) => {
    const bleed = fractal(noise, (x / unit) * 22, (y / unit) * 22, 4) * 0.12 * boldness;
    const fibre = fractal(noise, (x / unit) * 150, (y / unit) * 60, 2) * 0.06;
    const step = clamp(wet.data[offset]! / 255 + bleed, 0, 1) * 5;
    const washed = (Math.floor(step) + smoothstep(0.1, 0.75, step % 1)) / 5;
    const line = Math.max(0, wide.data[offset]! - wet.data[offset]!) / 90;
    const ink = clamp(1 - washed * 1.04 + line * boldness + fibre, 0, 0.97) ** 1.15;
    colour.set([mix(244 * (1 + fibre), 26, ink), mix(238 * (1 + fibre), 30, ink), mix(225 * (1 + fibre), 38, ink)]);
  });
}

/** Bayer's matrix: evenly scattered thresholds, so that two colours of the small palette appear mixed. */
const THRESHOLDS = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((value) => (value + 0.5) / 16 - 0.5);

/** Large square pixels and a small palette. */
async function pixelArt(image: RgbImage, _random: Random, boldness = 1): Promise<RgbImage> {
  const { width, height } = image;
  const block = (boldness * Math.max(width, height)) / 128;
  const size = [width, height].map((side) => Math.max(1, Math.round(side / block)));
  const small = await fromSharp(
    toSharp(image).modulate({ saturation: 1.25 }).resize(size[0], size[1], { fit: 'fill' }),
  );
  const limited = mapPixels(small, (colour, x, y) => {
    const threshold = THRESHOLDS[(y % 4) * 4 + (x % 4)]! * 0.55;
    for (let c = 0; c < 3; c++) colour[c] = (Math.round((colour[c]! / 255) * 7 + threshold) / 7) * 255;
  });
  return fromSharp(toSharp(limited).resize(width, height, { fit: 'fill', kernel: 'nearest' }));
}

const INKS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['#1b1464', '#ff7e67'],
  ['#0b3954', '#ffe066'],
  ['#3a0ca3', '#4cf0d0'],
  ['#2d132c', '#f6c28b'],
];

/** One colour for the light and one for the shadow, and their mixtures; a bolder style has fewer mixtures. */
function duotone(image: RgbImage, random: Random, boldness = 1): RgbImage {
  const [shadow, light] = pick(random, INKS);
  const margin = 0.06 * boldness ** 4;
  const ramp = Array.from({ length: 256 }, (_, i) =>
    mixColours(fromHex(shadow), fromHex(light), smoothstep(margin, 1 - margin, i / 255)).map(
      (value) => linearToSrgb(value) * 255,
    ),
  );
  return mapPixels(image, (colour) => colour.set(ramp[Math.round(toneOf(colour))]!));
}

/** Cyan, magenta, yellow, black: what each ink reflects of red, green and blue, and the angle of its screen in degrees. */
const SCREENS = [
  { passes: [0.05, 0.62, 0.84], angle: 15 },
  { passes: [0.86, 0.1, 0.5], angle: 75 },
  { passes: [0.98, 0.84, 0.08], angle: 0 },
  { passes: [0.13, 0.12, 0.14], angle: 45 },
].map(({ passes, angle }) => ({ passes, turn: [Math.cos, Math.sin].map((of) => of((angle * Math.PI) / 180)) }));

/** Printed dots whose size follows the tone, in four inks on paper. */
function halftone(image: RgbImage, _random: Random, boldness = 1): RgbImage {
  const pitch = Math.max(4, measure(image) / 130) * boldness;
  return mapPixels(image, (colour, x, y) => {
    colour.set([246, 240, 226]);
    for (const [ink, { passes, turn }] of SCREENS.entries()) {
      const [cos, sin] = [turn[0]!, turn[1]!];
      const [u, v] = [(x * cos + y * sin) / pitch, (y * cos - x * sin) / pitch];
      const [middleU, middleV] = [Math.floor(u) + 0.5, Math.floor(v) + 0.5];
      const from = offsetAt(image, (middleU * cos - middleV * sin) * pitch, (middleU * sin + middleV * cos) * pitch);
      const amount = inkAmount(image.data, from, ink);
      // A dot of this radius covers `amount` of its cell.
      const radius = Math.sqrt(amount / Math.PI);
      const dot = smoothstep(radius + 0.7 / pitch, radius - 0.7 / pitch, Math.hypot(u - middleU, v - middleV));
      const cover = dot * Math.min(1, amount * 12);
      for (let c = 0; c < 3; c++) colour[c] = colour[c]! * (1 - cover * (1 - passes[c]!));
    }
  });
}

/** How much of an ink a colour needs: what it lacks of the ink's complement, less the grey that black replaces. */
function inkAmount(data: Uint8Array, offset: number, ink: number): number {
  const lacks = [0, 1, 2].map((c) => 1 - data[offset + c]! / 255);
  const black = Math.min(...lacks) ** 2 * 0.85;
  return ink === 3 ? black : clamp((lacks[ink]! - black) / (1 - black || 1), 0, 1);
}

/** The data offset of the pixel that covers a place; the nearest one for a place outside. */
function offsetAt({ width, height }: RgbImage, x: number, y: number): number {
  return (clamp(Math.round(y), 0, height - 1) * width + clamp(Math.round(x), 0, width - 1)) * 3;
}

/** Thin washes on rough paper: colours run at their borders, dry darker along their rims, and leave a margin bare. */
async function watercolour(image: RgbImage, random: Random, boldness = 1): Promise<RgbImage> {
  const { width, height } = image;
  const unit = measure(image);
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const near = await fromSharp(toSharp(image).median(5).modulate({ saturation: 1.35, brightness: 1.06 }));
  const wide = await softened(near, (unit / 90) * boldness);
  return mapPixels(image, (colour, x, y) => {
    const [u, v] = [x / unit, y / unit];
    const run = unit * 0.022 * boldness;
    const [runX, runY] = [fractal(noise, u * 11, v * 11, 4) * run, fractal(noise, u * 11 + 50, v * 11, 4) * run];
    const from = offsetAt(image, x + runX, y + runY);
    // Pigment accumulates where a dark wash meets a light one.
    const rim = clamp((wide.data[from + 1]! - near.data[from + 1]!) / 80, 0, 1);
    const grain = noise(u * 300, v * 300) * 0.08 + fractal(noise, u * 4 - 20, v * 4, 3) * 0.3;
    const edge = Math.min(x, y, width - 1 - x, height - 1 - y) / unit - 0.028 + runY / unit;
    const load = clamp(0.82 + rim * 0.75 + grain, 0.25, 1.3) * smoothstep(0, 0.006, edge);
    for (let c = 0; c < 3; c++) {
      const glaze = (near.data[from + c]! / 255) ** 0.85;
      colour[c] = [250, 246, 236][c]! * mix(1, glaze, Math.min(load, 1)) * (1 - Math.max(0, load - 1) * 0.5);
    }
  });
}
