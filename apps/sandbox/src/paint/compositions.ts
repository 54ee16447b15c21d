import { type Scene, type Setting } from '../scene/scene';
import { paintFlow } from './abstract/flow.layer';
import { paintGeometric } from './abstract/geometric.layer';
import { paintGround } from './ground/ground.layer';
import { paintSurf } from './ground/surf.layer';
import { surveyTerrain } from './ground/survey';
import { type Terrain } from './ground/terrain';
import { paintWater } from './ground/water.layer';
import { lake, mountains, river } from './landscapes/alpine';
import { canyon, cloudSea, desert, meadow, meadowFlower } from './landscapes/open-land';
import { beach, BEACH_EYE, coast, island, sea, shoreLine } from './landscapes/shores';
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
import { type Layer, type Stage } from './stage';
import { paintAfloat } from './subjects/afloat.layer';
import { paintAloft } from './subjects/aloft.layer';
import { standingSubjects } from './subjects/standing';
import { paintFog } from './weather/fog.layer';
import { paintRain, paintSnowfall } from './weather/precipitation.layer';

/** How a setting is painted: where its horizon is, and its layers from back to front. */
export interface Composition {
  /** The share of the image's height that lies above the horizon. */
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
const WEATHER: readonly Layer[] = [paintFog, paintRain, paintSnowfall];
const AIR: readonly Layer[] = [paintAfloat, paintAloft, ...WEATHER];

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

/** Land under a sky. */
interface Landscape {
  readonly horizon: number;
  readonly terrain: (stage: Stage) => Terrain;
  readonly plants?: Planting;
  /** How strongly the wind moves its water; undefined if there is no water. */
  readonly swell?: number;
  /** A last layer on the ground, nearest to the viewer. */
  readonly finish?: Layer;
}

const COMPOSITIONS: Readonly<Record<Setting, (scene: Scene) => Composition>> = {
  mountains: (scene) => landscape(scene, { horizon: 0.5, terrain: mountains, plants: CONIFERS }),
  lake: (scene) => landscape(scene, { horizon: 0.55, terrain: lake, plants: CONIFERS, swell: 0.35 }),
  river: (scene) => landscape(scene, { horizon: 0.45, terrain: river, plants: CONIFERS, swell: 0.3 }),
  sea: (scene) => landscape(scene, { horizon: 0.56, terrain: sea, swell: 1 }),
  beach: (scene) => landscape(scene, { horizon: 0.5, terrain: beach, swell: 0.9, finish: paintBreakers }),
  island: (scene) => landscape(scene, { horizon: 0.54, terrain: island, plants: PALMS, swell: 0.8 }),
  coast: (scene) => landscape(scene, { horizon: 0.52, terrain: coast, swell: 1 }),
  desert: (scene) => landscape(scene, { horizon: 0.48, terrain: desert }),
  canyon: (scene) => landscape(scene, { horizon: 0.56, terrain: canyon }),
  meadow: (scene) => landscape(scene, { horizon: 0.5, terrain: meadow, plants: BROADLEAVES, finish: paintTallGrass }),
  sky: (scene) => landscape(scene, { horizon: 0.6, terrain: cloudSea }),
  city: (scene) => ({ horizon: 0.7, layers: [...SKY, paintCity, waterLayer(scene, 0.7), ...AIR] }),
  forest: () => ({ horizon: 0.66, layers: [paintBackdrop, paintStars, paintMoon, paintForest, ...WEATHER] }),
  interior: (scene) => room(COMPOSITIONS[scene.view](scene)),
  space: () => ({ horizon: 1, layers: [paintSpace] }),
  'still-life': () => ({ horizon: 1, layers: [paintStillLife] }),
  flow: () => ({ horizon: 1, layers: [paintFlow] }),
  geometric: () => ({ horizon: 1, layers: [paintGeometric] }),
};

export function compositionOf(scene: Scene): Composition {
  return COMPOSITIONS[scene.setting](scene);
}

function landscape(scene: Scene, { horizon, terrain, plants, swell, finish }: Landscape): Composition {
  const land = landLayer(terrain, scene.trees ? plants : undefined);
  const water = swell === undefined ? [] : [waterLayer(scene, swell)];
  return { horizon, layers: [...SKY, land, ...water, ...(finish ? [finish] : []), ...AIR] };
}

function landLayer(terrain: Landscape['terrain'], plants: Planting | undefined): Layer {
  return (stage) => {
    const survey = surveyTerrain(stage, terrain(stage));
    const grown = plants ? plant(stage, survey, plants) : [];
    paintGround(stage, survey, [...grown, ...standingSubjects(stage, survey)]);
  };
}

function waterLayer({ weather }: Scene, swell: number): Layer {
  return (stage) => paintWater(stage, weather.wind * swell);
}

/** The same view with a room around it. */
function room(view: Composition): Composition {
  return { horizon: view.horizon * 0.95, layers: [...view.layers, paintRoom] };
}

function paintBreakers(stage: Stage): void {
  paintSurf(stage, shoreLine(stage), BEACH_EYE);
}

function paintTallGrass(stage: Stage): void {
  paintFringe(stage, meadowFlower(stage));
}
