import { type Colour, fromHex } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { fractal, ridged } from '../raster/noise';
import { between } from '../raster/random';
import { airAt } from '../scene/light';
import { type Season, type Setting } from '../scene/scene';
import { paintLandmark } from './landmarks';
import { isSnowy, type Layer, type Stage } from './stage';
import { paintTree } from './tree';

/** A landscape of ridges, one behind the other. Heights are in the unit of the composition. */
interface Land {
  readonly horizon: number;
  /** The crests of the farthest and of the nearest ridge. */
  readonly crests: readonly [far: number, near: number];
  readonly isRocky?: boolean;
  readonly isSandy?: boolean;
  /** The trees of the farthest and of the nearest ridge, and how many a ridge has. */
  readonly trees?: { kind: 'conifer' | 'broadleaf'; far: number; near: number; count: number };
  /** How strongly the wind moves the water before the land; undefined if there is none. */
  readonly swell?: number;
  /** A headland in the water, on the side away from the light. */
  readonly headland?: number;
}

const CONIFERS = { kind: 'conifer', far: 0.012, near: 0.13, count: 260 } as const;
const OAKS = { kind: 'broadleaf', far: 0.02, near: 0.16, count: 16 } as const;

export const LANDS: Readonly<Partial<Record<Setting, Land>>> = {
  mountains: { horizon: 0.55, crests: [0.34, 0.06], isRocky: true, trees: CONIFERS },
  lake: { horizon: 0.55, crests: [0.3, 0.06], isRocky: true, trees: { ...CONIFERS, near: 0.03 }, swell: 0.35 },
  sea: { horizon: 0.56, crests: [0, 0], swell: 1 },
  coast: { horizon: 0.52, crests: [0, 0], swell: 0.9, headland: 0.17 },
  forest: { horizon: 0.6, crests: [0.08, 0.03], trees: { kind: 'conifer', far: 0.12, near: 0.5, count: 70 } },
  desert: { horizon: 0.5, crests: [0.05, 0.16], isSandy: true },
  meadow: { horizon: 0.5, crests: [0.09, 0.12], trees: OAKS },
};

const RIDGES = 7;
/** The distances at which the air is as thick as in front of the farthest and of the nearest ridge. */
const DISTANCES = [26, 0.8] as const;
const LANDMARK_RIDGE = 3;
const SNOW = fromHex('#eef2fa');
const ROCK = [fromHex('#77706c'), fromHex('#4a474c')] as const;
/** Red: the image model takes smooth dunes of a paler orange for skin. */
const SAND = [fromHex('#c46a3a'), fromHex('#8a3f24')] as const;
const GRASS: Readonly<Record<Season, readonly [fresh: Colour, dense: Colour]>> = {
  spring: [fromHex('#7f9a4c'), fromHex('#4d6a33')],
  summer: [fromHex('#6f8446'), fromHex('#3d5430')],
  autumn: [fromHex('#a8853c'), fromHex('#6b4a24')],
  winter: [fromHex('#b9c0c4'), fromHex('#7c8a8c')],
};

/** A silhouette of land, filled down to its foot. */
interface Ridge {
  readonly index: number;
  /** 0 for the farthest, 1 for the nearest. */
  readonly near: number;
  readonly air: number;
  readonly isRocky: boolean;
  /** The row of the crest, for each column and one on each side. */
  readonly crest: Float32Array;
  readonly foot: (x: number) => number;
  /** The row from which its heights are measured. */
  readonly base: number;
  /** In pixels. */
  readonly tall: number;
}

/** Draws the land from far to near, so that near ridges cover far ones. */
export function paintLand(land: Land): Layer {
  return (stage) => {
    const { raster, horizonY, shore, scene } = stage;
    const isWet = land.swell !== undefined;
    if (isWet) shore.fill(horizonY);
    const ridges = land.crests[0] > 0 ? Array.from({ length: RIDGES }, (_, index) => ridgeOf(stage, land, index)) : [];
    if (land.headland !== undefined) ridges.push(headlandOf(stage, land.headland));
    for (const ridge of ridges) {
      fillRidge(stage, land, ridge);
      growTrees(stage, land, ridge);
      const isLast = ridge === ridges.at(-1);
      if (scene.landmark && scene.landmark !== 'boat' && (isWet ? isLast : ridge.index === LANDMARK_RIDGE)) {
        const x = clamp(Math.round(landmarkX(stage)), 0, raster.width - 1);
        paintLandmark(stage, scene.landmark, { x, baseY: ridge.crest[x + 1]! + 2, air: ridge.air });
      }
    }
  };
}

/** On the land away from the light. */
function landmarkX({ raster, light, unit }: Stage): number {
  return raster.width / 2 - light.side * unit * 0.3;
}

function ridgeOf(stage: Stage, { crests, isRocky, swell }: Land, index: number): Ridge {
  const { raster, horizonY, unit, light } = stage;
  const near = index / (RIDGES - 1);
  const noise = stage.noise(`ridge ${index}`);
  const isMountain = isRocky === true && near < 0.45;
  const tall = unit * mix(...crests, near ** 0.75);
  const ground = swell === undefined ? raster.height - horizonY : 0;
  const footAt = (place: number): number => horizonY + ground * Math.min(1, place) ** 1.5;
  const base = footAt(near * 0.92);
  const wave = unit * (isMountain ? 0.5 : mix(0.5, 1.1, near));
  const crest = Float32Array.from({ length: raster.width + 2 }, (_, i) => {
    const u = (i - raster.width / 2) / wave;
    const height = isMountain ? ridged(noise, u, 3, 8) * 1.15 - 0.2 : 0.5 + fractal(noise, u, 3, 5) * 0.9;
    return base - tall * Math.max(0, height);
  });
  const next = index === RIDGES - 1 ? raster.height : footAt((near + 1 / (RIDGES - 1)) * 0.92);
  const air = airAt(light, DISTANCES[0] * (DISTANCES[1] / DISTANCES[0]) ** near);
  return { index, near, air, isRocky: isMountain, crest, foot: () => Math.max(next, base), base, tall };
}

/** Steep on the side of the open water, where it ends. */
function headlandOf(stage: Stage, height: number): Ridge {
  const { raster, horizonY, unit, light, shore } = stage;
  const noise = stage.noise('headland');
  const tip = raster.width / 2 - light.side * unit * 0.12;
  const crest = Float32Array.from({ length: raster.width + 2 }, (_, i) => {
    const inland = ((tip - (i - 1)) * light.side) / unit + fractal(noise, i / unit / 0.1, 1, 4) * 0.02;
    const foot = horizonY + unit * (0.14 * smoothstep(-0.05, 0.5, inland) - 0.01);
    if (inland > 0) shore[clamp(i - 1, 0, raster.width - 1)] = foot;
    const rolling = 0.85 + fractal(noise, i / unit / 0.3, 5, 5) * 0.3;
    if (inland <= 0) return raster.height;
    return foot - unit * height * rolling * (smoothstep(0, 0.05, inland) + 0.3 * inland);
  });
  const foot = (x: number): number => shore[x]!;
  return {
    index: RIDGES,
    near: 0.6,
    air: airAt(light, 3),
    isRocky: true,
    crest,
    foot,
    base: horizonY,
    tall: unit * height,
  };
}

function fillRidge(stage: Stage, land: Land, ridge: Ridge): void {
  const { width, height, data } = stage.raster;
  const colourInto = createGround(stage, land, ridge);
  const colour = new Float32Array(3);
  for (let x = 0; x < width; x++) {
    const crest = ridge.crest[x + 1]!;
    // Rows of a steep crest are blended over what it climbs within the column.
    const ramp = clamp(Math.abs(ridge.crest[x]! - ridge.crest[x + 2]!) / 2, 1, 5);
    for (let y = Math.max(0, Math.floor(crest - ramp / 2)); y < Math.min(height, ridge.foot(x)); y++) {
      colourInto(x, y, colour);
      const alpha = clamp((y + 0.5 - crest) / ramp + 0.5, 0, 1);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = mix(data[offset + c]!, colour[c]!, alpha);
    }
  }
}

/** Colours a place as it appears: grass, sand, rock or snow, lit from the side of the source, behind the air. */
function createGround(stage: Stage, { isSandy }: Land, { near, air, isRocky, crest, base, tall }: Ridge) {
  const { light, scene, unit } = stage;
  const noise = stage.noise(`ground ${near}`);
  const soil = isSandy ? SAND : GRASS[scene.season];
  const fine = mix(26, 5, near);
  // Over less, the two sides of a peak would meet in a line down to its foot.
  const reach = Math.ceil(unit * 0.03);
  const relief = (u: number, v: number): number =>
    isRocky
      ? ridged(noise, u * 7 + v * 2, v * 3, 4) * 0.16
      : (fractal(noise, u * fine * 0.3, v * fine * 1.2, 2) / fine) * 1.6;
  return (x: number, y: number, into: Float32Array): void => {
    const [u, v] = [x / unit, y / unit];
    const depth = Math.max(0, y - crest[x + 1]!) / unit;
    const lean = (crest[Math.min(x + 1 + reach, crest.length - 1)]! - crest[Math.max(x + 1 - reach, 0)]!) / (2 * reach);
    const step = 0.006;
    const slope = (relief(u + step, v) - relief(u - step, v)) / (2 * step);
    const direct = clamp(0.5 - light.side * (slope * 0.45 + clamp(-lean, -1, 1) * 0.3 * Math.exp(-depth * 9)), 0.05, 1);
    const patch = fractal(noise, u * fine, v * fine * 3, 3) * (isSandy ? 0.35 : 0.8);
    const tuft = noise(u * 130, v * 190) * 0.22;
    const high = (base - y) / tall;
    const bare = isRocky ? smoothstep(0.05, 0.5, high + patch * 0.6) : 0;
    const line = isRocky && near < 0.5 ? smoothstep(0.35, 0.6, high + patch * 0.25 + slope * 0.15) : 0;
    // Mist lies in the valleys.
    const veil = air + (1 - air) * 0.35 * smoothstep(0, 0.16, depth) * (1 - near);
    const white = isSnowy(stage) ? smoothstep(-0.9, -0.3, patch - bare * 0.3 + 0.2) : line;
    for (let c = 0; c < 3; c++) {
      const grown = mix(soil[0][c]!, soil[1][c]!, smoothstep(-0.5, 0.5, patch)) * (1 + (isSandy ? tuft * 0.3 : tuft));
      const stone = mix(ROCK[0][c]!, ROCK[1][c]!, smoothstep(-0.4, 0.4, patch + tuft));
      const own = mix(mix(grown, stone, bare), SNOW[c]!, white);
      into[c] = mix(own * (light.ambient[c]! + light.key[c]! * direct), light.haze[c]!, veil);
    }
  };
}

/** In groves, farther ones first. */
function growTrees(stage: Stage, { trees }: Land, { index, near, air, crest, foot, isRocky }: Ridge): void {
  if (!trees || !stage.scene.shows.trees || (isRocky && index < 2)) return;
  const { raster, unit } = stage;
  const random = stage.random(`trees ${index}`);
  const groves = stage.noise('groves');
  const tall = unit * mix(trees.far, trees.near, near ** 2);
  const places = Array.from({ length: trees.count }, () => {
    const x = Math.floor(random() * raster.width);
    const top = isRocky ? mix(crest[x + 1]!, foot(x), 0.7) : crest[x + 1]!;
    return { x, y: mix(top, foot(x), random()), size: between(random, 0.55, 1) };
  });
  for (const { x, y, size } of places.sort((a, b) => a.y - b.y))
    if (groves((x / unit) * 3, index * 7.3 + (y / unit) * 3) > -0.15)
      paintTree(stage, trees.kind, { x, baseY: y, tall: tall * size, air }, random);
}
