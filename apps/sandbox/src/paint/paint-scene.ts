import { type RgbImage } from '../raster/rgb-image';
import { createRaster } from '../raster/raster';
import { lightOf } from '../scene/light';
import { type DrawingStep } from '../drawing/draw-order';
import { type Scene } from '../scene/scene';
import { compositionOf } from './compositions';
import { bloom, develop } from './develop';
import { gradeOf } from './grade';

/** Paints a scene. `assertWanted` is called between two layers and may throw to stop the drawing. */
export function paintScene(scene: Scene, width: number, height: number, assertWanted: DrawingStep): RgbImage {
  const composition = compositionOf(scene);
  const horizonY = height * composition.horizon;
  const stage = {
    raster: createRaster(width, height),
    scene,
    light: lightOf(scene),
    horizonY,
    unit: Math.sqrt(width * height),
    foot: new Float32Array(width * height).fill(horizonY),
  };
  for (const [index, layer] of composition.layers.entries()) {
    assertWanted(index / composition.layers.length);
    layer(stage);
  }
  assertWanted();
  bloom(stage.raster, 0.35);
  return develop(stage.raster, 3, gradeOf(scene));
}
