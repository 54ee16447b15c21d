import { createRandom, hashText, type Random } from '../raster/random';

/** A random series for each thing that a prompt leaves open, so that deciding one does not change another. */
export type Luck = (what: string) => Random;

export function createLuck(seed: number): Luck {
  return (what) => createRandom(seed ^ hashText(`prompt ${what}`));
}
