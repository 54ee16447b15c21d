import { mix, smoothstep } from '../../raster/curve';
import { airAt } from '../../scene/light';
import { type Stage } from '../stage';
import { MARGIN, type Survey } from './survey';
import { type GroundPoint } from './terrain';

/** Colours points of the ground as they appear: own colour, light and shadow, and haze. */
export interface GroundLight {
  enterSlice(k: number): void;
  /** The colour at column `x` of the current slice, or `lift` world units above its surface on a wall. */
  colourInto(x: number, lift: number, into: Float32Array): void;
}

export function createGroundLight(stage: Stage, survey: Survey): GroundLight {
  const { light } = stage;
  const { terrain, stride, depths, heights, steps } = survey;
  const side = light.side;
  const elevation = mix(0.28, 0.9, light.sourceElevation);
  const length = Math.hypot(1, elevation, 0.25);
  const shadow = new Float32Array(stride);
  const point: GroundPoint = { x: 0, z: 0, height: 0, upright: 1 };
  let slice = 0;
  let farther = 0;
  let nearer = 0;
  return {
    enterSlice(k) {
      slice = k;
      farther = Math.min(k + 1, depths.length - 1);
      nearer = Math.max(k - 1, 0);
      castShadows(heights, k * stride, stride, side, elevation * steps[k]!, shadow);
    },
    colourInto(x, lift, into) {
      const column = x + MARGIN;
      const i = slice * stride + column;
      const z = depths[slice]!;
      const height = heights[i]! + lift;
      const slopeX = (heights[i + 1]! - heights[i - 1]!) / (2 * steps[slice]!);
      const slopeZ =
        (heights[farther * stride + column]! - heights[nearer * stride + column]!) /
        (depths[farther]! - depths[nearer]!);
      const size = Math.hypot(slopeX, slopeZ, 1);
      const facing = Math.max(0, (elevation - side * slopeX - 0.25 * slopeZ) / (size * length));
      point.x = survey.worldX(x, z);
      point.z = z;
      point.height = height;
      point.upright = 1 / size;
      terrain.albedo(point, into);
      const open = 1 - smoothstep(0, 0.25, shadow[column]! - height);
      const direct = facing * (0.12 + 0.88 * open);
      const around = 0.55 + 0.45 * point.upright;
      const air = airAt(light, (z - terrain.near) * (1 + terrain.mist * Math.exp(-Math.max(0, height) * 1.6)));
      for (let c = 0; c < 3; c++) {
        const own = into[c]! * (light.ambient[c]! * around + light.key[c]! * direct);
        into[c] = own + (light.haze[c]! - own) * air;
      }
    },
  };
}

/** The light comes from the side: a shadow decreases along the slice, so one pass computes it for every column. */
function castShadows(
  heights: Float32Array,
  start: number,
  stride: number,
  side: number,
  fall: number,
  into: Float32Array,
): void {
  let level = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < stride; n++) {
    const column = side < 0 ? n : stride - 1 - n;
    level = Math.max(level - fall, heights[start + column]!);
    into[column] = level;
  }
}
