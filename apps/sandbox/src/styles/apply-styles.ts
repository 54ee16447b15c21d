import { blendPictures, type Picture } from '../raster/picture';
import { createRandom, type Random } from '../raster/random';
import { type StyleOrder } from '../render/draw-order';
import { duotone } from './duotone';
import { halftone } from './halftone';
import { inkWash } from './ink-wash';
import { pixelArt } from './pixel-art';

/** Redraws a picture in its own manner; the same random series, the same result. */
export type Style = (picture: Picture, random: Random) => Picture | Promise<Picture>;

/** By the ids of the LoRAs in the built-in catalog. */
const STYLES: ReadonlyMap<string, Style> = new Map<string, Style>([
  ['ink-wash', inkWash],
  ['pixel-art', pixelArt],
  ['duotone', duotone],
  ['halftone', halftone],
]);

/** One after the other, each laid over the picture as strongly as asked. An unknown style changes nothing. */
export async function applyStyles(picture: Picture, orders: readonly StyleOrder[], seed: number): Promise<Picture> {
  let current = picture;
  for (const { id, strength } of orders) {
    const style = STYLES.get(id);
    if (style) current = blendPictures(current, await style(current, createRandom(seed)), Math.min(strength, 1));
  }
  return current;
}
