import { clamp } from '../../raster/curve';
import { createErosion, type ErodedHeight } from '../../raster/erosion';
import { hashText } from '../../raster/random';
import { type Stage } from '../stage';

/** Limits the octaves to the visible ones: details finer than the grain would only cause aliasing. */
export function octavesFor(frequency: number, grain: number, stage: Stage): number {
  return clamp(Math.floor(Math.log2(1 / (frequency * 2 * grain))), 1, 8 + stage.scene.detail);
}

export function erosionFor(stage: Stage): ErodedHeight {
  return createErosion(stage.scene.seed ^ hashText('erosion'));
}
