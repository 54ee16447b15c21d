import { blendImages, type RgbImage } from '../raster/rgb-image';
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

/** Applies the styles in sequence, each blended over the image by its strength. An unknown style has no effect. */
export async function applyStyles(image: RgbImage, orders: readonly StyleOrder[], seed: number): Promise<RgbImage> {
  let current = image;
  for (const { id, strength } of orders) {
    const style = STYLES.get(id);
    if (!style) continue;
    const styled = await style(current, createRandom(seed), Math.max(1, strength));
    current = blendImages(current, styled, Math.min(strength, 1));
  }
  return current;
}
