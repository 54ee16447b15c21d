import { type Scene, type Setting } from '../scene/scene';
import { paintFlow } from './abstract/flow.layer';
import { paintGeometric } from './abstract/geometric.layer';
import { paintGround } from './ground/ground.layer';
import { paintSurf } from './ground/surf.layer';
import { surveyTerrain } from './ground/survey';
import { type Terrain } from './ground/terrain';
import { paintWater } from './ground/water.layer';
import * as terrains from './landscapes/terrains';
import { paintCity } from './places/city.layer';
import { paintForest } from './places/forest.layer';
import { paintSpace } from './places/space.layer';
import { paintFringe } from './plants/fringe.layer';
import { plant, type Planting } from './plants/planting';
import { paintAurora } from './sky/aurora.layer';
import { paintBackdrop, paintSun } from './sky/backdrop.layer';
import { paintClouds } from './sky/clouds.layer';
import { paintLightning } from './sky/lightning.layer';
import { paintMoon } from './sky/moon.layer';
import { paintStars } from './sky/stars.layer';
import { paintRoom } from './rooms/interior.layer';
import { paintStillLife } from './rooms/still-life.layer';
import { type Layer } from './stage';
import { paintAfloat } from './subjects/afloat.layer';
import { paintAloft } from './subjects/aloft.layer';
import { standingSubjects } from './subjects/standing';
import { paintFog } from './weather/fog.layer';
import { paintRain, paintSnowfall } from './weather/precipitation.layer';

/** How a setting is painted: where its horizon lies, and its coats of paint from back to front. */
export interface Composition {
  /** The share of the picture's height that lies above the horizon. */
  readonly horizon: number;
  readonly layers: readonly Layer[];
}

const SKY: readonly Layer[] = [
  paintBackdrop,
  paintStars,
  paintAurora,
  paintSun,
  paintMoon,
  paintClouds,
  paintLightning,
];
const AIR: readonly Layer[] = [paintAfloat, paintAloft, paintFog, paintRain, paintSnowfall];

const CONIFERS: Planting = {
  species: 'conifer',
  count: 8500,
  fromZ: 0.95,
  toZ: 11,
  lowest: 0.02,
  highest: 1.7,
  tallest: 0.13,
  cover: 0.64,
  steepest: 1.1,
};
const BROADLEAVES: Planting = {
  species: 'broadleaf',
  count: 520,
  fromZ: 1.5,
  toZ: 15,
  lowest: -1,
  highest: 3,
  tallest: 0.2,
  cover: 0.45,
  steepest: 0.8,
};
const PALMS: Planting = {
  species: 'palm',
  count: 300,
  fromZ: 3.5,
  toZ: 6.6,
  lowest: 0.03,
  highest: 0.4,
  tallest: 0.3,
  cover: 0.62,
  steepest: 1,
};

const COMPOSITIONS: Readonly<Record<Setting, (scene: Scene) => Composition>> = {
  mountains: (scene) => landscape(scene, 0.5, terrains.mountains, [CONIFERS]),
  lake: (scene) => landscape(scene, 0.55, terrains.lake, [CONIFERS], 0.35),
  river: (scene) => landscape(scene, 0.45, terrains.river, [CONIFERS], 0.3),
  sea: (scene) => landscape(scene, 0.56, terrains.sea, [], 1),
  beach: (scene) => landscape(scene, 0.5, terrains.beach, [], 0.9, paintBeachSurf),
  island: (scene) => landscape(scene, 0.54, terrains.island, [PALMS], 0.8),
  coast: (scene) => landscape(scene, 0.52, terrains.coast, [], 1),
  desert: (scene) => landscape(scene, 0.48, terrains.desert, []),
  canyon: (scene) => landscape(scene, 0.56, terrains.canyon, []),
  meadow: (scene) => landscape(scene, 0.5, terrains.meadow, [BROADLEAVES], undefined, paintMeadowFringe),
  sky: (scene) => landscape(scene, 0.6, terrains.cloudSea, []),
  forest: () => ({
    horizon: 0.66,
    layers: [paintBackdrop, paintStars, paintMoon, paintForest, paintFog, paintRain, paintSnowfall],
  }),
  city: (scene) => ({
    horizon: 0.7,
    layers: [...SKY, paintCity, (stage) => paintWater(stage, scene.weather.wind * 0.7), ...AIR],
  }),
  space: () => ({ horizon: 1, layers: [paintSpace] }),
  'still-life': () => ({ horizon: 1, layers: [paintStillLife] }),
  interior: (scene) => room(COMPOSITIONS[scene.view](scene)),
  flow: () => ({ horizon: 1, layers: [paintFlow] }),
  geometric: () => ({ horizon: 1, layers: [paintGeometric] }),
};

export function compositionOf(scene: Scene): Composition {
  return COMPOSITIONS[scene.setting](scene);
}

/** `swell` says how much of the wind the water takes up; without it there is no water. */
function landscape(
  scene: Scene,
  horizon: number,
  terrain: Parameters<typeof landLayer>[0],
  plantings: readonly Planting[],
  swell?: number,
  finish?: Layer,
): Composition {
  const land = landLayer(terrain, scene.trees ? plantings : []);
  const water: readonly Layer[] = swell === undefined ? [] : [(stage) => paintWater(stage, scene.weather.wind * swell)];
  return { horizon, layers: [...SKY, land, ...water, ...(finish ? [finish] : []), ...AIR] };
}

const paintBeachSurf: Layer = (stage) => paintSurf(stage, terrains.shoreLine(stage), terrains.BEACH_EYE);
const paintMeadowFringe: Layer = (stage) => paintFringe(stage, terrains.meadowFlower(stage));

/** The view as it would be painted by itself, with a room around it. */
function room(view: Composition): Composition {
  return { horizon: view.horizon * 0.95, layers: [...view.layers, paintRoom] };
}

function landLayer(terrain: (stage: Parameters<Layer>[0]) => Terrain, plantings: readonly Planting[]): Layer {
  return (stage) => {
    const survey = surveyTerrain(stage, terrain(stage));
    paintGround(stage, survey, [
      ...plantings.flatMap((planting) => plant(stage, survey, planting)),
      ...standingSubjects(stage, survey),
    ]);
  };
}
