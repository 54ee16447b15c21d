import { createNoise, type Noise } from '../raster/noise';
import { createLuck, hashText, type Luck } from '../raster/random';
import { createRaster, type Raster } from '../raster/raster';
import { type Light, lightOf } from '../scene/light';
import { type Scene } from '../scene/scene';

/** The state that every layer works on. */
export interface Stage {
  readonly raster: Raster;
  readonly scene: Scene;
  readonly light: Light;
  /** The row of the horizon. */
  readonly horizonY: number;
  /** The unit of length of a composition: 1 is the side of a square of the image's area. */
  readonly unit: number;
  /** For each column, the row at which its water begins; below the image if there is none. */
  readonly shore: Float32Array;
  /** Each element uses its own random series, so that omitting one does not change the others. */
  readonly random: Luck;
  readonly noise: (element: string) => Noise;
}

/** One layer of paint. An image is a list of layers, from back to front. */
export type Layer = (stage: Stage) => void;

export function createStage(scene: Scene, width: number, height: number, horizon: number): Stage {
  return {
    raster: createRaster(width, height),
    scene,
    light: lightOf(scene),
    horizonY: height * horizon,
    unit: Math.sqrt(width * height),
    shore: new Float32Array(width).fill(height),
    random: createLuck(scene.seed),
    noise: (element) => createNoise(scene.seed ^ hashText(element)),
  };
}

export function isSnowy({ scene }: Stage): boolean {
  return scene.season === 'winter' || scene.weather.snow > 0;
}
