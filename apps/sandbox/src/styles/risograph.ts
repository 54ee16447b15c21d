import { clamp, smoothstep } from '../raster/curve';
import { createNoise } from '../raster/noise';
import { type RgbImage, fromSharp, toSharp } from '../raster/rgb-image';
import { between, type Random } from '../raster/random';
import { offsetAt, redrawn, unitOf } from './tone';

const PAPER = [247, 243, 232] as const;
/** Yellow, fluorescent pink, blue: the red, green and blue that a full layer of each reflects. */
const DRUMS = [
  { passes: [1, 0.88, 0.16], lacks: 2 },
  { passes: [1, 0.26, 0.55], lacks: 1 },
  { passes: [0.16, 0.38, 0.74], lacks: 0 },
] as const;

/** Three bright inks, each printed in a pass of its own: grainy, flat in the shadows, and slightly misaligned. */
export async function risograph(image: RgbImage, random: Random, boldness = 1): Promise<RgbImage> {
  const unit = unitOf(image);
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const plates = await fromSharp(toSharp(image).modulate({ saturation: 1.5, brightness: 1.1 }));
  const grainSize = Math.max(1, unit / 800) * boldness;
  const passes = DRUMS.map((drum) => {
    const slip = (unit / 260) * boldness;
    return { ...drum, dx: between(random, -slip, slip), dy: between(random, -slip, slip), phase: random() * 1000 };
  });
  return redrawn(image, (into, offset, x, y) => {
    const light: [number, number, number] = [...PAPER];
    for (const { passes: left, lacks, dx, dy, phase } of passes) {
      const from = offsetAt(image, x + dx, y + dy);
      const wanted = 1 - plates.data[from + lacks]! / 255;
      // A drum applies ink unevenly to the sheet, and a screen of grain represents the tones between.
      const drum = noise((x / unit) * 5 + phase, (y / unit) * 2) * 0.05;
      const grain = speckle(x / grainSize, y / grainSize, phase);
      const tone = clamp(wanted ** 1.25 * 0.92 + drum, 0, 1);
      const ink = smoothstep(-0.2, 0.2, tone - 0.1 - grain * 0.8) * 0.94;
      for (let c = 0; c < 3; c++) light[c] = light[c]! * (1 - ink * (1 - left[c]!));
    }
    into.set(light, offset);
  });
}

/** A threshold from 0 to 1 for each grain, scattered without a pattern. */
function speckle(x: number, y: number, phase: number): number {
  const cell = Math.imul(Math.floor(x) + Math.floor(phase) * 131, 0x27d4eb2d) ^ Math.imul(Math.floor(y), 0x165667b1);
  const mixed = Math.imul(cell ^ (cell >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 4294967296;
}
