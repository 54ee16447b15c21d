import { type DrawingStep } from '../drawing/draw-order';
import { type RgbImage } from '../raster/rgb-image';
import { type Scene, type Setting } from '../scene/scene';
import { paintFlow, paintGeometric } from './abstract';
import { paintCity } from './city';
import { develop } from './develop';
import { gradeOf } from './grade';
import { LANDS, paintLand } from './land';
import { paintBoat } from './landmarks';
import { paintRoom } from './room';
import { paintClouds, paintSky } from './sky';
import { paintSpace } from './space';
import { createStage, type Layer } from './stage';
import { paintWater } from './water';
import { paintWeather } from './weather';

/** The share of the image's height above the horizon, and the layers from back to front. */
interface Composition {
  readonly horizon: number;
  readonly layers: readonly Layer[];
}

/** Those that are no landscape. */
const PLACES: Readonly<Partial<Record<Setting, Composition>>> = {
  city: { horizon: 0.7, layers: [paintSky, paintClouds, paintCity, paintWater, paintWeather] },
  room: { horizon: 0.66, layers: [paintSky, paintClouds, paintRoom] },
  space: { horizon: 1, layers: [paintSpace] },
  flow: { horizon: 1, layers: [paintFlow] },
  geometric: { horizon: 1, layers: [paintGeometric] },
};

/** Paints a scene. `assertWanted` is called between two layers and may throw to stop the drawing. */
export function paintScene(scene: Scene, width: number, height: number, assertWanted: DrawingStep): RgbImage {
  const { horizon, layers } = PLACES[scene.setting] ?? landscape(scene.setting);
  const stage = createStage(scene, width, height, horizon);
  for (const [index, layer] of layers.entries()) {
    assertWanted(index / layers.length);
    layer(stage);
  }
  assertWanted();
  return develop(stage.raster, 3, gradeOf(scene));
}

function landscape(setting: Setting): Composition {
  const land = LANDS[setting]!;
  const water = land.swell === undefined ? [] : [paintWater, paintBoat];
  return { horizon: land.horizon, layers: [paintSky, paintClouds, paintLand(land), ...water, paintWeather] };
}
