import { PLANE_SIDE } from '../image/perceptual-hash';
import type { Plane } from '../judging/engine';

/** Of the fields in each direction. */
const FIELDS = 4;
const FIELD_SIDE = PLANE_SIDE / FIELDS;
/** The variance of the rounding of a picture almost without contrast. */
const ROUNDING_VARIANCE = 4;

/**
 * The mean luminances of 16 fields of a picture, 0 to 255. A perceptual hash consists of signs alone, and simple pictures of the same
 * outlines share it whatever their luminances.
 */
export function luminancesOf(plane: Plane): Buffer {
  const fields = new Float64Array(FIELDS * FIELDS);
  plane.forEach((luminance, index) => {
    const [x, y] = [index % PLANE_SIDE, Math.floor(index / PLANE_SIDE)].map((at) => Math.floor(at / FIELD_SIDE));
    const field = (y ?? 0) * FIELDS + (x ?? 0);
    fields[field] = (fields[field] ?? 0) + luminance / FIELD_SIDE ** 2;
  });
  return Buffer.from(fields.map(Math.round));
}

/** The difference of two pictures, as a share of the standard deviation of the known one. */
export function differenceBetween(known: Buffer, asked: Buffer): number {
  const mean = known.reduce((sum, luminance) => sum + luminance, 0) / known.length;
  const variance = meanSquare(known, () => mean) + ROUNDING_VARIANCE;
  return Math.sqrt(meanSquare(known, (field) => asked[field] ?? 0) / variance);
}

function meanSquare(luminances: Buffer, other: (field: number) => number): number {
  return luminances.reduce((sum, luminance, field) => sum + (luminance - other(field)) ** 2, 0) / luminances.length;
}
