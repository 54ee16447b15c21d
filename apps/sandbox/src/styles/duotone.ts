import { fromHex, linearToSrgb, mixColours } from '../raster/colour';
import { smoothstep } from '../raster/curve';
import { type RgbImage } from '../raster/rgb-image';
import { pick, type Random } from '../raster/random';
import { redrawn, tonesOf } from './tone';

const INKS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['#1b1464', '#ff7e67'],
  ['#0b3954', '#ffe066'],
  ['#3a0ca3', '#4cf0d0'],
  ['#2d132c', '#f6c28b'],
  ['#073b3a', '#ff9f80'],
];

/** Two colours, one for the light and one for the shadow, and their mixtures; a bolder style has fewer mixtures. */
export function duotone(image: RgbImage, random: Random, boldness = 1): RgbImage {
  const [shadow, light] = pick(random, INKS).map(fromHex);
  if (!shadow || !light) return image;
  const ramp = Array.from({ length: 256 }, (_, i) =>
    mixColours(shadow, light, smoothstep(0.05 * boldness ** 4, 1 - 0.08 * boldness ** 4, i / 255)).map((value) =>
      Math.round(linearToSrgb(value) * 255),
    ),
  );
  const tones = tonesOf(image);
  return redrawn(image, (into, offset) => into.set(ramp[Math.round(tones[offset / 3]! * 255)]!, offset));
}
