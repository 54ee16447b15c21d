import { type Colour, fromHex, fromHexes, mixColours } from '../../raster/colour';
import { clamp } from '../../raster/curve';
import { between, pick, type Random } from '../../raster/random';
import { type Raster } from '../../raster/raster';
import { airAt } from '../../scene/light';
import { type Season } from '../../scene/scene';
import { type Prop } from '../ground/ground.layer';
import { groundAt, type Survey } from '../ground/survey';
import { isSnowy } from '../landscapes/soil';
import { seenColour } from '../seen-colour';
import { noiseFor, randomFor, type Stage } from '../stage';
import { paintBroadleaf } from './broadleaf';
import { paintConifer } from './conifer';
import { paintPalm } from './palm';
import { type PlantLook } from './plant-look';

export type Species = 'conifer' | 'broadleaf' | 'palm';

/** Where plants of one kind grow. */
export interface Planting {
  readonly species: Species;
  readonly count: number;
  readonly fromZ: number;
  readonly toZ: number;
  readonly lowest: number;
  readonly highest: number;
  /** In world units. */
  readonly tallest: number;
  /** The share of the land that is covered with plants; the rest is clearings. */
  readonly cover: number;
  /** No plants grow on ground that is steeper than this slope. */
  readonly steepest: number;
}

const PAINTERS: Readonly<Record<Species, (raster: Raster, look: PlantLook, random: Random) => void>> = {
  conifer: paintConifer,
  broadleaf: paintBroadleaf,
  palm: paintPalm,
};

const LEAVES: Readonly<Record<Season, readonly [Colour, ...Colour[]]>> = {
  spring: fromHexes('#7fa043', '#93ad52', '#e3b7c4'),
  summer: fromHexes('#4f7231', '#5d7f3a', '#456a34'),
  autumn: fromHexes('#c2622b', '#d99a32', '#a53f28', '#b98a35'),
  winter: fromHexes('#6d6259', '#7c7066'),
};
const NEEDLES = fromHexes('#35502f', '#2c4630', '#42592f');
const FRONDS = fromHexes('#5c8a34', '#4c7a33');
const SNOW = fromHex('#eef3fa');

export function plant(stage: Stage, survey: Survey, planting: Planting): Prop[] {
  const random = randomFor(stage, planting.species);
  const grove = noiseFor(stage, 'groves');
  const props: Prop[] = [];
  for (let i = 0; i < planting.count; i++) {
    const z = planting.fromZ + (planting.toZ - planting.fromZ) * Math.sqrt(random());
    const column = Math.floor(random() * survey.width);
    const seed = random();
    const x = survey.worldX(column, z);
    if (grove(x * 0.9, z * 0.9) * 0.5 + 0.5 > planting.cover + (seed - 0.5) * 0.3) continue;
    const ground = groundAt(survey, column, z);
    if (ground.height < planting.lowest || ground.height > planting.highest || ground.slope > planting.steepest)
      continue;
    const size = planting.tallest * between(random, 0.5, 1);
    const own = leafColour(stage, planting.species, random);
    props.push({
      z,
      paint: () =>
        paintPlant(stage, survey, { column, z, ground: ground.height, size, own, species: planting.species }, random),
    });
  }
  return props;
}

interface Plant {
  readonly column: number;
  readonly z: number;
  readonly ground: number;
  readonly size: number;
  readonly own: Colour;
  readonly species: Species;
}

function paintPlant(
  stage: Stage,
  survey: Survey,
  { column, z, ground, size, own, species }: Plant,
  random: Random,
): void {
  const { raster, light, foot } = stage;
  const baseY = survey.rowOf(ground, z) + 1;
  const height = baseY - survey.rowOf(ground + size, z);
  const air = airAt(light, (z - survey.terrain.near) * (1 + survey.terrain.mist * Math.exp(-ground * 1.6)));
  const look: PlantLook = {
    x: column,
    baseY,
    height,
    lit: seenColour(light, own, 0.75, air),
    shaded: seenColour(light, mixColours(own, [0.01, 0.015, 0.02], 0.35), 0.04, air),
    lightSide: light.side,
  };
  PAINTERS[species](raster, look, random);
  if (!survey.terrain.flooded) return;
  const standsAt = survey.rowOf(0, z);
  for (let y = Math.max(0, Math.round(baseY - height)); y < Math.min(raster.height, baseY); y++) {
    const half = height * 0.2 * clamp((y - baseY + height) / height, 0.1, 1);
    const from = Math.max(0, Math.round(column - half));
    foot.fill(standsAt, y * raster.width + from, y * raster.width + Math.min(raster.width, Math.round(column + half)));
  }
}

export function leafColour(stage: Stage, species: Species, random: Random): Colour {
  const own = pick(random, species === 'conifer' ? NEEDLES : species === 'palm' ? FRONDS : LEAVES[stage.scene.season]);
  return isSnowy(stage) ? mixColours(own, SNOW, between(random, 0.25, 0.7)) : own;
}
