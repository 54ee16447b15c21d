import { type Noise, createNoise } from '../raster/noise';
import { createRandom, hashText, type Random } from '../raster/random';
import { type Raster } from '../raster/raster';
import { type Light } from '../scene/light';
import { type Scene } from '../scene/scene';

/** What every layer works on. */
export interface Stage {
  readonly raster: Raster;
  readonly scene: Scene;
  readonly light: Light;
  readonly horizonY: number;
  /** The length that a composition is measured in: 1 is the side of a square of the picture's area. */
  readonly unit: number;
  /**
   * For each pixel the row in which the thing that is seen there stands, from which water knows where to mirror it:
   * the horizon for the sky, `WATER` for water itself.
   */
  readonly foot: Float32Array;
}

export const WATER = -1;

/** One coat of paint. A picture is a list of them, and between two of them its drawing can be given up. */
export type Layer = (stage: Stage) => void;

/** Each element draws from a series of its own, so that leaving one out does not reshuffle the others. */
export function randomFor(stage: Stage, element: string): Random {
  return createRandom(stage.scene.seed ^ hashText(element));
}

export function noiseFor(stage: Stage, element: string): Noise {
  return createNoise(stage.scene.seed ^ hashText(element));
}
