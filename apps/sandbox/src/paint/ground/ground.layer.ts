import { clamp } from '../../raster/curve';
import { type Stage, WATER } from '../stage';
import { createGroundLight, type GroundLight } from './ground-light';
import { MARGIN, surfaceRow, type Survey, visiblePoints } from './survey';

/** An object that stands on the ground; nearer ground hides it. */
export interface Prop {
  readonly z: number;
  readonly paint: () => void;
}

/** Walls higher than this many pixels are coloured row by row instead of interpolated between their two ends. */
const WALL_PX = 4;

/** Draws the land from far to near, so that near parts cover far ones. */
export function paintGround(stage: Stage, survey: Survey, props: readonly Prop[]): void {
  const { width } = stage.raster;
  const { depths, stride } = survey;
  const visible = visiblePoints(survey);
  const light = createGroundLight(stage, survey);
  const strip = createStrip(width);
  const standing = [...props].sort((a, b) => b.z - a.z);
  let next = 0;
  for (let k = depths.length - 1; k >= 0; k--) {
    light.enterSlice(k);
    const behind = Math.min(k + 1, depths.length - 1) * width;
    const before = Math.max(k - 1, 0) * width;
    for (let x = 0; x < width; x++) {
      const i = k * stride + x + MARGIN;
      strip.row = surfaceRow(survey, i, k);
      if (visible[k * width + x]! | visible[behind + x]! | visible[before + x]!) {
        strip.softness = Math.abs(surfaceRow(survey, i - 1, k) - surfaceRow(survey, i + 1, k)) / 2;
        light.colourInto(x, 0, strip.colour);
        if (k < depths.length - 1) fillStrip(stage, survey, light, strip, x, k);
      }
      strip.rowsBehind[x] = strip.row;
      strip.coloursBehind.set(strip.colour, x * 3);
    }
    for (; next < standing.length && standing[next]!.z >= depths[k]!; next++) standing[next]!.paint();
  }
}

/** The piece of a column between a slice and the one behind it. */
interface Strip {
  row: number;
  softness: number;
  readonly colour: Float32Array;
  readonly rowsBehind: Float32Array;
  readonly coloursBehind: Float32Array;
  readonly wall: Float32Array;
}

function createStrip(width: number): Strip {
  return {
    row: 0,
    softness: 1,
    colour: new Float32Array(3),
    rowsBehind: new Float32Array(width),
    coloursBehind: new Float32Array(width * 3),
    wall: new Float32Array(3),
  };
}

function fillStrip(
  { raster, foot }: Stage,
  survey: Survey,
  light: GroundLight,
  strip: Strip,
  x: number,
  k: number,
): void {
  const { width, height, data } = raster;
  const upper = strip.rowsBehind[x]!;
  const lower = k === 0 ? height : strip.row;
  if (lower <= upper) return;
  const z = survey.depths[k]!;
  const i = k * survey.stride + x + MARGIN;
  // A cliff that rises from water is land, although its nearer end is under water.
  const drowned = survey.terrain.flooded && survey.heights[i]! < 0 && survey.heights[i + survey.stride]! < 0;
  const standsAt = drowned ? WATER : survey.rowOf(0, z);
  // Steep crests are blended over as many rows as they climb within the column; elsewhere one row is enough.
  const ramp = clamp(strip.softness, 1, 5);
  const span = Math.max(strip.row - upper, 0.001);
  const wall = span > WALL_PX && !drowned;
  const lift = survey.rowOf(0, z) - survey.rowOf(1, z);
  for (let y = Math.max(0, Math.floor(upper - ramp / 2)); y < Math.min(height, Math.ceil(lower)); y++) {
    const alpha = clamp((y + 0.5 - upper) / ramp + 0.5, 0, 1);
    const t = clamp((y + 0.5 - upper) / span, 0, 1);
    const pixel = y * width + x;
    if (wall) light.colourInto(x, (1 - t) * (span / lift), strip.wall);
    for (let c = 0; c < 3; c++) {
      const far = strip.coloursBehind[x * 3 + c]!;
      const colour = wall ? strip.wall[c]! : far + (strip.colour[c]! - far) * t;
      data[pixel * 3 + c] = data[pixel * 3 + c]! + (colour - data[pixel * 3 + c]!) * alpha;
    }
    if (alpha > 0.5) foot[pixel] = standsAt;
  }
}
