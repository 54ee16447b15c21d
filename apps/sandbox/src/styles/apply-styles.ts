import { blendPictures, type Picture } from '../raster/picture';
import { createRandom } from '../raster/random';
import { type StyleOrder } from '../drawing/draw-order';
import { blueprint } from './blueprint';
import { duotone } from './duotone';
import { embroidery } from './embroidery';
import { halftone } from './halftone';
import { impasto } from './impasto';
import { inkWash } from './ink-wash';
import { pixelArt } from './pixel-art';
import { risograph } from './risograph';
import { stainedGlass } from './stained-glass';
import { type Style } from './style';
import { watercolour } from './watercolour';

/** By the ids of the LoRAs in the built-in catalog. */
const STYLES: ReadonlyMap<string, Style> = new Map<string, Style>([
  ['ink-wash', inkWash],
  ['pixel-art', pixelArt],
  ['duotone', duotone],
  ['halftone', halftone],
  ['watercolour', watercolour],
  ['impasto', impasto],
  ['risograph', risograph],
  ['stained-glass', stainedGlass],
  ['blueprint', blueprint],
  ['embroidery', embroidery],
]);

/** One after the other, each laid over the picture as strongly as asked. An unknown style changes nothing. */
export async function applyStyles(picture: Picture, orders: readonly StyleOrder[], seed: number): Promise<Picture> {
  let current = picture;
  for (const { id, strength } of orders) {
    const style = STYLES.get(id);
    if (!style) continue;
    const styled = await style(current, createRandom(seed), Math.max(1, strength));
    current = blendPictures(current, styled, Math.min(strength, 1));
  }
  return current;
}
