import { type Colour, fromHex } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { fractal, ridged } from '../raster/noise';
import { between } from '../raster/random';
import { airAt } from '../scene/light';
import { type Season } from '../scene/scene';
import { paintLandmark } from './landmarks';
import { paintPlant, type Place } from './plants';
import { isSnowy, type Stage, WATER } from './stage';
import { type Terrain } from './terrains';

/** The land cut into slices parallel to the image, nearest first, with a height for each column and one on each side. */
interface Slice {
  readonly z: number;
  /** The width of a pixel in world units. */
  readonly step: number;
  readonly heights: Float32Array;
  readonly rows: Float32Array;
  /** The row of level 0. */
  readonly level: number;
}

const FAR = 26;
/** The distance of the image from the eye, in units. */
const FOCAL = 1.05;
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

/** Draws the land from far to near, so that near parts cover far ones, and what stands on it. */
export function paintLand(stage: Stage, terrain: Terrain): void {
  const { width } = stage.raster;
  const slices = survey(stage, terrain);
  const props = [...plantsOn(stage, terrain, slices), ...landmarkOn(stage, terrain, slices)].sort((a, b) => b.z - a.z);
  const colourInto = createGroundLight(stage, terrain, slices);
  const visible = visiblePoints(slices, width);
  const behind = { rows: new Float32Array(width), colours: new Float32Array(width * 3) };
  const colour = new Float32Array(3);
  let next = 0;
  for (let k = slices.length - 1; k >= 0; k--) {
    for (let x = 0; x < width; x++) {
      const row = slices[k]!.rows[x + 1]!;
      // The points before and behind a visible one are needed too, because colours are interpolated.
      if (visible[k * width + x]! | visible[Math.max(0, k - 1) * width + x]! | (visible[(k + 1) * width + x] ?? 0)) {
        colourInto(k, x, colour);
        if (k < slices.length - 1) fillStrip(stage, terrain, slices, k, x, colour, behind);
      }
      behind.rows[x] = row;
      behind.colours.set(colour, x * 3);
    }
    for (; next < props.length && props[next]!.z >= slices[k]!.z; next++) props[next]!.paint();
  }
}

/** What stands on the ground; nearer ground hides it. */
interface Prop {
  readonly z: number;
  readonly paint: () => void;
}

function rowOf({ horizonY, unit }: Stage, { eye }: Terrain, height: number, z: number): number {
  return horizonY + ((eye - height) * unit * FOCAL) / z;
}

function survey(stage: Stage, terrain: Terrain): Slice[] {
  const { raster, horizonY, unit } = stage;
  const focal = unit * FOCAL;
  const drop = (raster.height - horizonY) / focal;
  const heightAt = createHeights(stage, terrain);
  // Level ground must reach the lower edge of the image, for any height of it.
  const near = Math.min(0.9, (0.8 * terrain.eye) / drop);
  const slices: Slice[] = [];
  // Slices are denser near the viewer; farther away a fixed distance keeps mountains connected.
  for (let z = near; z < FAR; z += Math.min(z * 0.0095, 0.065)) {
    const step = z / focal;
    // A hill directly before the viewer would hide everything.
    const ceiling = terrain.eye - drop * near + (z - near) * 0.4 + (z - near) ** 2 * 2;
    const octaves = clamp(Math.floor(Math.log2(0.33 / Math.max(step, z * 0.006))), 1, 8 + stage.scene.detail);
    const heights = Float32Array.from({ length: raster.width + 2 }, (_, i) =>
      Math.min(ceiling, heightAt((i - 1 - raster.width / 2) * step, z, octaves)),
    );
    const lowest = terrain.swell === undefined ? -Infinity : 0;
    const rows = heights.map((height) => rowOf(stage, terrain, Math.max(lowest, height), z));
    slices.push({ z, step, heights, rows, level: rowOf(stage, terrain, 0, z) });
  }
  return slices;
}

/** The height of every place. Octaves finer than what is visible there would only cause aliasing. */
function createHeights(stage: Stage, { base, roll, ridge, cliff }: Terrain) {
  const noise = stage.noise('terrain');
  const side = -stage.light.side;
  return (x: number, z: number, octaves: number): number => {
    const rolling = fractal(noise, x * roll[0] + 9, z * roll[0], octaves);
    let height = base + rolling * mix(roll[1], roll[2], smoothstep(3, 16, z));
    const rise = ridge ? smoothstep(ridge[3], ridge[4], z) : 0;
    if (ridge && rise > 0) {
      const crest = ridged(noise, x * ridge[0] + 33, z * ridge[0] + 7, Math.min(octaves, ridge[2]));
      height += rise * (0.25 + Math.max(0, crest - 0.25) * ridge[1]);
    }
    if (cliff === undefined) return height;
    // Positive on land: a headland that ends between the middle distance and the horizon.
    const inland = x * side - mix(0.45, 2.6, smoothstep(2.2, 5.2, Math.abs(z - 3.4) + 2.2)) + rolling * 0.55;
    const boulders =
      smoothstep(-0.4, 0.02, inland) * Math.max(0, fractal(noise, x * 7, z * 7, octaves - 2) + 0.2) * 0.09;
    return height + smoothstep(-0.06, 0.16, inland) * cliff + boulders + smoothstep(0, 1.8, inland) * 0.26;
  };
}

/** Marks the points that no nearer slice hides. */
function visiblePoints(slices: readonly Slice[], width: number): Uint8Array {
  const visible = new Uint8Array(width * slices.length);
  const highest = new Float32Array(width).fill(Number.POSITIVE_INFINITY);
  slices.forEach(({ rows }, k) => {
    for (let x = 0; x < width; x++) {
      if (rows[x + 1]! >= highest[x]!) continue;
      visible[k * width + x] = 1;
      highest[x] = rows[x + 1]!;
    }
  });
  return visible;
}

/** The piece of a column between a slice and the one behind it. */
function fillStrip(
  { raster: { width, height, data }, foot }: Stage,
  { swell }: Terrain,
  slices: readonly Slice[],
  k: number,
  x: number,
  colour: Float32Array,
  behind: { readonly rows: Float32Array; readonly colours: Float32Array },
): void {
  const { rows, heights, level } = slices[k]!;
  const upper = behind.rows[x]!;
  const row = rows[x + 1]!;
  const lower = k === 0 ? height : row;
  if (lower <= upper) return;
  const isWater = swell !== undefined && heights[x + 1]! < 0 && slices[k + 1]!.heights[x + 1]! < 0;
  // Steep crests are blended over as many rows as they climb within the column; elsewhere one row is enough.
  const ramp = clamp(Math.abs(rows[x]! - rows[x + 2]!) / 2, 1, 5);
  for (let y = Math.max(0, Math.floor(upper - ramp / 2)); y < Math.min(height, Math.ceil(lower)); y++) {
    const alpha = clamp((y + 0.5 - upper) / ramp + 0.5, 0, 1);
    const t = clamp((y + 0.5 - upper) / Math.max(row - upper, 0.001), 0, 1);
    const pixel = y * width + x;
    for (let c = 0; c < 3; c++) {
      const own = mix(behind.colours[x * 3 + c]!, colour[c]!, t);
      data[pixel * 3 + c] = mix(data[pixel * 3 + c]!, own, alpha);
    }
    if (alpha > 0.5) foot[pixel] = isWater ? WATER : level;
  }
}

/** Colours points of the ground as they appear: own colour, light and shadow, and haze. */
function createGroundLight(stage: Stage, terrain: Terrain, slices: readonly Slice[]) {
  const { light, raster } = stage;
  const albedoInto = createSoil(stage, terrain);
  const elevation = mix(0.28, 0.9, light.sourceElevation);
  const shadow = new Float32Array(raster.width + 2);
  let current = -1;
  return (k: number, x: number, into: Float32Array): void => {
    const { z, step, heights } = slices[k]!;
    if (k !== current) castShadows(heights, light.side, elevation * step, shadow);
    current = k;
    const farther = slices[Math.min(k + 1, slices.length - 1)]!;
    const nearer = slices[Math.max(k - 1, 0)]!;
    const height = heights[x + 1]!;
    const slopeX = (heights[x + 2]! - heights[x]!) / (2 * step);
    const slopeZ = (farther.heights[x + 1]! - nearer.heights[x + 1]!) / (farther.z - nearer.z);
    const size = Math.hypot(slopeX, slopeZ, 1);
    const facing = Math.max(0, (elevation - light.side * slopeX - 0.25 * slopeZ) / (size * 1.1));
    albedoInto((x - raster.width / 2) * step, z, height, 1 / size, into);
    const direct = facing * (1 - 0.88 * smoothstep(0, 0.25, shadow[x + 1]! - height));
    const around = 0.55 + 0.45 / size;
    // Mist lies in the valleys.
    const air = airAt(light, (z - slices[0]!.z) * (1 + 0.8 * Math.exp(-Math.max(0, height) * 1.6)));
    for (let c = 0; c < 3; c++)
      into[c] = mix(into[c]! * (light.ambient[c]! * around + light.key[c]! * direct), light.haze[c]!, air);
  };
}

/** The light comes from the side: a shadow decreases along the slice, so one pass computes it for every column. */
function castShadows(heights: Float32Array, side: number, fall: number, into: Float32Array): void {
  let level = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < heights.length; n++) {
    const i = side < 0 ? n : heights.length - 1 - n;
    level = Math.max(level - fall, heights[i]!);
    into[i] = level;
  }
}

/** Grass or sand below, rock on steep slopes, snow above a line; winter lowers the snow to the valley. */
function createSoil(stage: Stage, { soil, swell, snowLine }: Terrain) {
  const noise = stage.noise('soil');
  const sandy = soil === 'sand';
  const [fresh, dense] = sandy ? SAND : GRASS[stage.scene.season];
  const line = isSnowy(stage) ? -1 : snowLine;
  return (x: number, z: number, height: number, upright: number, into: Float32Array): void => {
    const patch = noise(x * 3.1, z * 3.1 + height * 4);
    const speck = noise(x * 14, z * 14 + height * 9);
    const tuft = noise(x * 34, z * 24) * 0.6 + noise(x * 90, z * 60 + height * 90) * 0.5;
    const high = height + patch * 0.4;
    const stand = upright + patch * 0.1;
    const grown = sandy ? 1 : smoothstep(1.9, 0.7, high) * smoothstep(0.45, 0.75, stand);
    const white = smoothstep(line, line + 0.7, high) * smoothstep(0.36, 0.62, stand + speck * 0.05);
    const beach =
      swell === undefined ? 0 : smoothstep(0.05, 0.02, height + patch * 0.02) * smoothstep(0.4, 0.8, upright);
    const dark = smoothstep(-0.7, 0.7, patch * 0.6 + speck * 0.8 + tuft * 0.5);
    const thick = smoothstep(-0.6, 0.7, patch + speck * 0.6);
    for (let c = 0; c < 3; c++) {
      const grass = mix(fresh[c]!, dense[c]!, thick) * (1 + tuft * (sandy ? 0.08 : 0.3));
      const bare = mix(mix(ROCK[0][c]!, ROCK[1][c]!, dark), SAND[1][c]!, beach);
      into[c] = mix(mix(bare, grass, grown * (1 - beach)), SNOW[c]!, white);
    }
  };
}

function plantsOn(stage: Stage, { plants, ...terrain }: Terrain, slices: readonly Slice[]): Prop[] {
  if (!plants || !stage.scene.shows.trees) return [];
  const random = stage.random('plants');
  const groves = stage.noise('groves');
  const [lowest, highest] = plants.heights;
  return Array.from({ length: plants.count }, () => {
    const z = between(random, Math.sqrt(plants.fromZ), Math.sqrt(plants.toZ)) ** 2;
    const column = Math.floor(random() * stage.raster.width);
    const [chance, tall] = [random(), plants.tallest * between(random, 0.5, 1)];
    const { step, heights } = sliceAt(slices, z);
    const height = heights[column + 1]!;
    const slope = Math.abs(heights[column + 2]! - heights[column]!) / (2 * step);
    const x = (column - stage.raster.width / 2) * step;
    const isClear = groves(x * 0.9, z * 0.9) * 0.5 + 0.5 > plants.cover + (chance - 0.5) * 0.3;
    if (isClear || height < lowest || height > highest || slope > 1.1) return undefined;
    const place = placeOf(stage, terrain, column, height, z, tall);
    return { z, paint: () => paintPlant(stage, plants.kind, place, random) };
  }).filter((prop) => prop !== undefined);
}

/** The prompt's landmark: on the land that is away from the light, or on the water. */
function landmarkOn(stage: Stage, terrain: Terrain, slices: readonly Slice[]): Prop[] {
  const { landmark } = stage.scene;
  if (!landmark) return [];
  const { raster, light, unit } = stage;
  const z = 3;
  const isAfloat = landmark === 'boat';
  const column = Math.round(raster.width / 2 - light.side * unit * (isAfloat ? 0.08 : 0.3));
  const height = isAfloat ? 0 : sliceAt(slices, z).heights[clamp(column, 0, raster.width - 1) + 1]!;
  const place = placeOf(stage, terrain, column, Math.max(0, height), z, landmark === 'lighthouse' ? 0.75 : 0.36);
  return [{ z, paint: () => paintLandmark(stage, landmark, place) }];
}

function sliceAt(slices: readonly Slice[], z: number): Slice {
  return slices.find((slice) => slice.z >= z) ?? slices.at(-1)!;
}

function placeOf(stage: Stage, terrain: Terrain, x: number, height: number, z: number, tall: number): Place {
  const baseY = rowOf(stage, terrain, height, z) + 1;
  const level = rowOf(stage, terrain, 0, z);
  return { x, baseY, tall: (tall * stage.unit * FOCAL) / z, air: airAt(stage.light, z * 1.5), level };
}
