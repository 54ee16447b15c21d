import type { Plane } from '../judging/engine';

/** Images are compared at this many pixels a side; finer detail is what copies lose. */
export const PLANE_SIDE = 64;
/** Frequencies a direction, without the constant one, which is only brightness. */
const FREQUENCIES = 16;
const HASH_BITS = FREQUENCIES * FREQUENCIES;
const WORD_BITS = 32;
const PDQ_PERCENTS_A_POINT = 90;

/** 16 by 16 coefficients of a cosine transform, vertical frequency by vertical frequency. */
type Spectrum = Float64Array;
/** 256 bits. */
export type PerceptualHash = Uint32Array;

/** How much of each side is left out, as a share of the whole. */
export interface Crop {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export const WHOLE: Crop = { top: 0, right: 0, bottom: 0, left: 0 };

/** The hash of the image, or of a part of it as if that part were an image of its own. */
export function hashOf(plane: Plane, crop: Crop = WHOLE): PerceptualHash {
  return toHash(spectrumOf(plane, crop));
}

/** The hashes of the image turned by quarters and mirrored: eight for the price of one transform. */
export function hashesOfAllOrientations(plane: Plane): PerceptualHash[] {
  const spectrum = spectrumOf(plane, WHOLE);
  const flips = [false, true];
  return flips.flatMap((transposed) =>
    flips.flatMap((upsideDown) =>
      flips.map((mirrored) => toHash(orient(spectrum, { transposed, upsideDown, mirrored }))),
    ),
  );
}

/** The number of bits, of 256, in which two hashes differ. Unrelated images differ in about half. */
export function distanceBetween(one: PerceptualHash, other: PerceptualHash): number {
  return one.reduce((distance, word, index) => distance + countBits(word ^ (other[index] ?? 0)), 0);
}

/** The mean difference of neighbouring pixels, 0 to 255: what there is to recognise. */
export function detailOf(plane: Plane): number {
  return sumOfDifferences(plane, (difference) => difference) / (2 * PLANE_SIDE * (PLANE_SIDE - 1));
}

/**
 * How much the hash of the image says, from 0 to 100, as PDQ reckons it: a hundred means many edges. Differences count
 * in whole percents, so that the many small ones of a soft ground count nothing.
 */
export function qualityOf(plane: Plane): number {
  const percents = sumOfDifferences(plane, (difference) => Math.floor((difference * 100) / 255));
  return Math.min(100, Math.floor(percents / PDQ_PERCENTS_A_POINT));
}

function sumOfDifferences(plane: Plane, weigh: (difference: number) => number): number {
  let sum = 0;
  for (let y = 0; y < PLANE_SIDE; y++) {
    for (let x = 1; x < PLANE_SIDE; x++) {
      sum += weigh(Math.abs(at(plane, y * PLANE_SIDE + x) - at(plane, y * PLANE_SIDE + x - 1)));
      sum += weigh(Math.abs(at(plane, x * PLANE_SIDE + y) - at(plane, (x - 1) * PLANE_SIDE + y)));
    }
  }
  return sum;
}

function spectrumOf(plane: Plane, crop: Crop): Spectrum {
  const across = cosines(crop.left, 1 - crop.right);
  const down = cosines(crop.top, 1 - crop.bottom);
  // Rows first, then columns: the two-dimensional transform at the price of two one-dimensional ones.
  const rows = new Float64Array(PLANE_SIDE * FREQUENCIES);
  for (let y = 0; y < PLANE_SIDE; y++) {
    for (let k = 0; k < FREQUENCIES; k++) {
      let sum = 0;
      for (let x = 0; x < PLANE_SIDE; x++) sum += at(plane, y * PLANE_SIDE + x) * at(across, k * PLANE_SIDE + x);
      rows[y * FREQUENCIES + k] = sum;
    }
  }
  const spectrum = new Float64Array(HASH_BITS);
  for (let i = 0; i < FREQUENCIES; i++) {
    for (let k = 0; k < FREQUENCIES; k++) {
      let sum = 0;
      for (let y = 0; y < PLANE_SIDE; y++) sum += at(down, i * PLANE_SIDE + y) * at(rows, y * FREQUENCIES + k);
      spectrum[i * FREQUENCIES + k] = sum;
    }
  }
  return spectrum;
}

/** Cosines of frequencies 1 to 16 over the stretch from `start` to `end` of the side, each pixel by its share in it. */
function cosines(start: number, end: number): Float64Array {
  const table = new Float64Array(FREQUENCIES * PLANE_SIDE);
  for (let pixel = 0; pixel < PLANE_SIDE; pixel++) {
    const from = Math.max(pixel / PLANE_SIDE, start);
    const to = Math.min((pixel + 1) / PLANE_SIDE, end);
    if (to <= from) continue;
    const share = (to - from) / (end - start);
    const position = ((from + to) / 2 - start) / (end - start);
    for (let k = 0; k < FREQUENCIES; k++) {
      table[k * PLANE_SIDE + pixel] = share * Math.cos(Math.PI * (k + 1) * position);
    }
  }
  return table;
}

interface Orientation {
  transposed: boolean;
  upsideDown: boolean;
  mirrored: boolean;
}

/** Mirroring an image turns the sign of every odd frequency; at index 0 stands frequency 1. */
function orient(spectrum: Spectrum, { transposed, upsideDown, mirrored }: Orientation): Spectrum {
  return spectrum.map((_, index) => {
    const [i, k] = [Math.floor(index / FREQUENCIES), index % FREQUENCIES];
    const value = at(spectrum, transposed ? k * FREQUENCIES + i : index);
    const turned = (upsideDown && i % 2 === 0) !== (mirrored && k % 2 === 0);
    return turned ? -value : value;
  });
}

/** A bit says on which side of the median its coefficient lies, which neither brightness nor contrast changes. */
function toHash(spectrum: Spectrum): PerceptualHash {
  const sorted = Float64Array.from(spectrum).sort();
  const median = (at(sorted, HASH_BITS / 2 - 1) + at(sorted, HASH_BITS / 2)) / 2;
  const hash = new Uint32Array(HASH_BITS / WORD_BITS);
  spectrum.forEach((value, index) => {
    if (value > median) hash[index >> 5] = (hash[index >> 5] ?? 0) | (1 << (index % WORD_BITS));
  });
  return hash;
}

export function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Every index is computed within the array; this only tells the compiler so. */
function at(numbers: Float64Array, index: number): number {
  return numbers[index] ?? 0;
}
