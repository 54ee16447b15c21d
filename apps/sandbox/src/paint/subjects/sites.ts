import { type Random } from '../../raster/random';
import { MARGIN, surfaceRow, type Survey } from '../ground/survey';
import { type Stage, WATER } from '../stage';

/** A place for an object: on the ground, or on water. */
export interface Site {
  readonly column: number;
  readonly row: number;
  readonly z: number;
  /** In world units above level 0. */
  readonly height: number;
}

const TRIES = 700;
/** The least height above the water, in world units. */
const FIRM = 0.015;

/**
 * Firm, dry, fairly level visible ground, off the centre and on the side away from the light, as wide as the object
 * needs.
 */
export function findGroundSite(
  { raster, light, horizonY, unit }: Stage,
  survey: Survey,
  random: Random,
  halfWidthAt: (z: number) => number,
): Site | undefined {
  const { depths, heights, stride, steps, width } = survey;
  const wantedColumn = width * (light.side < 0 ? 0.66 : 0.34);
  let best: Site | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const column = Math.floor(width * (0.14 + 0.72 * random()));
    const k = Math.floor(depths.length * (0.12 + 0.5 * random()));
    const at = k * stride + column + MARGIN;
    const z = depths[k]!;
    const height = heights[at]!;
    const row = surfaceRow(survey, at, k);
    const half = Math.min(Math.max(2, Math.round(halfWidthAt(z))), column, width - 1 - column);
    const [left, right] = [heights[at - half]!, heights[at + half]!];
    if (Math.min(height, left, right) < FIRM || row > raster.height * 0.86 || row < horizonY * 0.55) continue;
    if (!isInView(survey, column, k, row)) continue;
    const slope = Math.abs(left - right) / (2 * half * steps[k]!);
    const aside = Math.abs(column - wantedColumn) / width;
    const score = -aside - slope * 1.2 - Math.abs(z - 3.2) * 0.09 - Math.abs(row - horizonY) / unit;
    if (score <= bestScore) continue;
    best = { column, row, z, height };
    bestScore = score;
  }
  return best;
}

function isInView(survey: Survey, column: number, k: number, row: number): boolean {
  for (let nearer = 0; nearer < k; nearer++)
    if (surfaceRow(survey, nearer * survey.stride + column + MARGIN, nearer) < row) return false;
  return true;
}

/** Open water wide enough for an object of the size that it would have there. */
export function findWaterSite(
  { raster, horizonY, foot, light }: Stage,
  random: Random,
  sizeAt: (row: number) => number,
): { column: number; row: number } | undefined {
  const wanted = raster.width * (light.side < 0 ? 0.6 : 0.4);
  let best: { column: number; row: number } | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const column = Math.floor(raster.width * (0.12 + 0.76 * random()));
    const row = Math.floor(horizonY + (raster.height - horizonY) * (0.05 + 0.6 * random()));
    const half = Math.round(sizeAt(row) * 0.6);
    const clear = [-1, -0.5, 0, 0.5, 1].every(
      (side) => foot[row * raster.width + Math.round(column + side * half)] === WATER,
    );
    if (!clear || column - half < 0 || column + half >= raster.width) continue;
    const score =
      -Math.abs(column - wanted) / raster.width -
      Math.abs((row - horizonY) / (raster.height - horizonY) - 0.26) +
      random() * 0.1;
    if (score <= bestScore) continue;
    best = { column, row };
    bestScore = score;
  }
  return best;
}

/** A narrow stretch of water between two banks, for a bridge. `width` is in columns. */
export function findCrossing(survey: Survey): (Site & { readonly width: number }) | undefined {
  const { depths, heights, stride, width } = survey;
  for (let k = depths.length - 1; k > 0; k--) {
    if (depths[k]! > 3.6 || depths[k]! < 2) continue;
    let from = -1;
    for (let column = 0; column < width; column++) {
      const wet = heights[k * stride + column + MARGIN]! < 0;
      if (wet && from < 0) from = column;
      const span = column - from;
      if (!wet && from > 0 && span > width * 0.05 && span < width * 0.5) {
        return { column: (from + column) / 2, row: survey.rowOf(0, depths[k]!), z: depths[k]!, height: 0, width: span };
      }
      if (!wet) from = -1;
    }
  }
  return undefined;
}
