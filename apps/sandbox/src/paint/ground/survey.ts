import { clamp } from '../../raster/curve';
import { type Stage } from '../stage';
import { type Terrain } from './terrain';

/**
 * The land cut into slices parallel to the image plane, nearest first, with one height for each column of each slice.
 */
export interface Survey {
  readonly terrain: Terrain;
  readonly width: number;
  readonly depths: Float64Array;
  /** The width of one pixel at a slice, in world units. */
  readonly steps: Float64Array;
  /** `stride` values per slice; the image's first column is at index `MARGIN`. */
  readonly heights: Float32Array;
  readonly stride: number;
  rowOf(height: number, z: number): number;
  columnOf(x: number, z: number): number;
  worldX(column: number, z: number): number;
}

/** Extra columns on each side of the image, so that slopes and shadows do not end at its edge. */
export const MARGIN = 2;

/** Slices are denser near the viewer; farther away a fixed distance keeps mountains connected. */
const SLICE_SPREAD = 0.0095;
const WIDEST_SLICE = 0.065;

export function surveyTerrain(stage: Stage, terrain: Terrain): Survey {
  const { raster, horizonY, unit } = stage;
  const focal = unit * 1.05;
  const stride = raster.width + 2 * MARGIN;
  const drop = raster.height - horizonY;
  // Level ground must reach the lower edge of the image, for any height of it.
  const near = Math.min(terrain.near, (0.8 * terrain.eye * focal) / drop);
  const depths = sliceDepths(near, terrain.far);
  const steps = depths.map((z) => z / focal);
  const heights = new Float32Array(stride * depths.length);
  depths.forEach((z, k) => {
    const step = steps[k]!;
    const grain = Math.max(step * 1.5, sliceStep(z));
    // A hill directly before the viewer would hide everything, and its nearest slice would fill the image with stripes.
    const ceiling = terrain.eye - (drop * near) / focal + (z - near) * 0.4 + (z - near) ** 2 * 2;
    for (let i = 0; i < stride; i++) {
      heights[k * stride + i] = Math.min(ceiling, terrain.height((i - MARGIN - raster.width / 2) * step, z, grain));
    }
  });
  return {
    terrain,
    width: raster.width,
    depths,
    steps,
    heights,
    stride,
    rowOf: (height, z) => horizonY + ((terrain.eye - height) * focal) / z,
    columnOf: (x, z) => raster.width / 2 + (x * focal) / z,
    worldX: (column, z) => ((column - raster.width / 2) * z) / focal,
  };
}

/** The row at which the surface of the ground, or of the water above it, is visible. */
export function surfaceRow(survey: Survey, i: number, k: number): number {
  const level = survey.heights[i]!;
  return survey.rowOf(survey.terrain.flooded && level < 0 ? 0 : level, survey.depths[k]!);
}

/** The height of the ground at a place between two slices, and its slope per unit across. */
export function groundAt(survey: Survey, column: number, z: number): { height: number; slope: number } {
  const { heights, depths, steps, stride, width } = survey;
  let low = 0;
  let high = depths.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (depths[middle]! < z) low = middle + 1;
    else high = middle;
  }
  const i = low * stride + Math.round(clamp(column, 0, width - 1)) + MARGIN;
  return { height: heights[i]!, slope: Math.abs(heights[i + 2]! - heights[i - 2]!) / (4 * steps[low]!) };
}

/** Marks the points that no nearer slice hides. */
export function visiblePoints(survey: Survey): Uint8Array {
  const { width, depths, stride } = survey;
  const visible = new Uint8Array(width * depths.length);
  const highest = new Float32Array(width).fill(Number.POSITIVE_INFINITY);
  for (let k = 0; k < depths.length; k++) {
    for (let x = 0; x < width; x++) {
      const row = surfaceRow(survey, k * stride + x + MARGIN, k);
      if (row >= highest[x]!) continue;
      visible[k * width + x] = 1;
      highest[x] = row;
    }
  }
  return visible;
}

function sliceDepths(near: number, far: number): Float64Array {
  const depths: number[] = [];
  for (let z = near; z < far; z += sliceStep(z)) depths.push(z);
  return Float64Array.from(depths);
}

function sliceStep(z: number): number {
  return Math.min(z * SLICE_SPREAD, WIDEST_SLICE);
}
