import { clamp } from '../../raster/curve';
import { createErosion, type ErodedHeight } from '../../raster/erosion';
import { hashText } from '../../raster/random';
import { type Stage } from '../stage';

/** As many octaves as can be seen: finer ones than the grain would only flicker. */
export function octavesFor(frequency: number, grain: number, stage: Stage): number {
  return clamp(Math.floor(Math.log2(1 / (frequency * 2 * grain))), 1, 8 + stage.scene.detail);
}

export function erosionFor(stage: Stage): ErodedHeight {
  return createErosion(stage.scene.seed ^ hashText('erosion'));
}
