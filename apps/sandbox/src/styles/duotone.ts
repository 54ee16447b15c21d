import { fromHex, linearToSrgb, mixColours } from '../raster/colour';
import { smoothstep } from '../raster/curve';
import { type Picture } from '../raster/picture';
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
export function duotone(picture: Picture, random: Random, boldness = 1): Picture {
  const [shadow, light] = pick(random, INKS).map(fromHex);
  if (!shadow || !light) return picture;
  const ramp = Array.from({ length: 256 }, (_, i) =>
    mixColours(shadow, light, smoothstep(0.05 * boldness ** 4, 1 - 0.08 * boldness ** 4, i / 255)).map((value) =>
      Math.round(linearToSrgb(value) * 255),
    ),
  );
  const tones = tonesOf(picture);
  return redrawn(picture, (into, offset) => into.set(ramp[Math.round(tones[offset / 3]! * 255)]!, offset));
}
