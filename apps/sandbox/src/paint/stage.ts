import { type Noise, createNoise } from '../raster/noise';
import { createRandom, hashText, type Random } from '../raster/random';
import { type Raster } from '../raster/raster';
import { type Light } from '../scene/light';
import { type Scene } from '../scene/scene';

/** The state that every layer works on. */
export interface Stage {
  readonly raster: Raster;
  readonly scene: Scene;
  readonly light: Light;
  readonly horizonY: number;
  /** The unit of length of a composition: 1 is the side of a square of the image's area. */
  readonly unit: number;
  /**
   * For each pixel, the row in which the visible object stands, from which water computes its reflection: the horizon
   * for the sky, `WATER` for water itself.
   */
  readonly foot: Float32Array;
}

export const WATER = -1;

/** One layer of paint. An image is a list of layers, and its drawing can be stopped between two of them. */
export type Layer = (stage: Stage) => void;

/** Each element uses its own random series, so that omitting one does not change the others. */
export function randomFor(stage: Stage, element: string): Random {
  return createRandom(stage.scene.seed ^ hashText(element));
}

export function noiseFor(stage: Stage, element: string): Noise {
  return createNoise(stage.scene.seed ^ hashText(element));
}
