import { clamp, smoothstep } from '../raster/curve';
import { type RgbImage } from '../raster/rgb-image';
import { type Random } from '../raster/random';
import { redrawn, unitOf } from './tone';

const PAPER = [246, 240, 226] as const;
/**
 * Cyan, magenta, yellow, black: the red, green and blue that each ink reflects, and the angle of its screen in degrees.
 */
const INKS = [
  { passes: [0.05, 0.62, 0.84], angle: 15 },
  { passes: [0.86, 0.1, 0.5], angle: 75 },
  { passes: [0.98, 0.84, 0.08], angle: 0 },
  { passes: [0.13, 0.12, 0.14], angle: 45 },
] as const;

/** Printed dots whose size follows the tone, in four inks on paper. */
export function halftone(image: RgbImage, _random: Random, boldness = 1): RgbImage {
  const { width, height, data } = image;
  const pitch = Math.max(4, unitOf(image) / 130) * boldness;
  const screens = INKS.map(({ passes, angle }) => ({
    passes,
    cos: Math.cos((angle * Math.PI) / 180),
    sin: Math.sin((angle * Math.PI) / 180),
  }));
  return redrawn(image, (into, offset, x, y) => {
    let [red, green, blue]: readonly number[] = PAPER;
    screens.forEach(({ passes, cos, sin }, ink) => {
      const u = (x * cos + y * sin) / pitch;
      const v = (-x * sin + y * cos) / pitch;
      const centreU = Math.floor(u) + 0.5;
      const centreV = Math.floor(v) + 0.5;
      const sampleX = Math.round(clamp((centreU * cos - centreV * sin) * pitch, 0, width - 1));
      const sampleY = Math.round(clamp((centreU * sin + centreV * cos) * pitch, 0, height - 1));
      const amount = inkAmount(data, (sampleY * width + sampleX) * 3, ink);
      // A dot of this radius covers `amount` of its cell.
      const radius = Math.sqrt(amount / Math.PI);
      const edge = 0.7 / pitch;
      const cover =
        smoothstep(radius + edge, radius - edge, Math.hypot(u - centreU, v - centreV)) * Math.min(1, amount * 12);
      red = red! * (1 - cover * (1 - passes[0]));
      green = green! * (1 - cover * (1 - passes[1]));
      blue = blue! * (1 - cover * (1 - passes[2]));
    });
    into[offset] = red!;
    into[offset + 1] = green!;
    into[offset + 2] = blue!;
  });
}

/** How much of an ink a colour needs: what it lacks of the ink's complement, less the grey that black replaces. */
function inkAmount(data: Uint8Array, offset: number, ink: number): number {
  const cyan = 1 - data[offset]! / 255;
  const magenta = 1 - data[offset + 1]! / 255;
  const yellow = 1 - data[offset + 2]! / 255;
  const grey = Math.min(cyan, magenta, yellow);
  const black = grey * grey * 0.85;
  if (ink === 3) return black;
  return clamp(([cyan, magenta, yellow][ink]! - black) / (1 - black || 1), 0, 1);
}
