import { createRandom, hashText, type Random } from '../raster/random';

/** A separate random series for each open choice of a prompt, so that one choice does not change another. */
export type Luck = (what: string) => Random;

export function createLuck(seed: number): Luck {
  return (what) => createRandom(seed ^ hashText(`prompt ${what}`));
}
