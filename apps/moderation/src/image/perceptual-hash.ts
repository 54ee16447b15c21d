import type { Plane } from '../judging/engine';

/** Images are compared at this many pixels a side, because copies lose finer detail. */
export const PLANE_SIDE = 64;
/** Frequencies in each direction, without the constant one, which holds only the brightness. */
const FREQUENCIES = 16;
const HASH_BITS = FREQUENCIES * FREQUENCIES;
const WORD_BITS = 32;
const PDQ_PERCENTS_A_POINT = 90;

/** 16 by 16 coefficients of a cosine transform, vertical frequency by vertical frequency. */
type Spectrum = Float64Array;
/** 256 bits. */
export type PerceptualHash = Uint32Array;

/** A part of a side, from `start` to `end` as shares of the whole. */
export interface Range {
  start: number;
  end: number;
}

/** Below this `detailOf`, an image is a blank sheet, and its hash holds only rounding errors of the encoder. */
export const MIN_DETAIL = 0.25;

export const WHOLE: Range = { start: 0, end: 1 };

export function hashOf(plane: Plane): PerceptualHash {
  return toHash(spectrumOf(plane, WHOLE));
}

/**
 * The hashes of parts of an image, as if each were an image of its own: of each range across with each range down. The parts share the
 * transforms of their rows, which are four fifths of the work.
 */
export function hashesOfParts(plane: Plane, across: readonly Range[], down: readonly Range[]): PerceptualHash[] {
  const downwards = down.map(cosines);
  return across.flatMap((range) => {
    const rows = rowsOf(plane, cosines(range));
    return downwards.map((cosinesDown) => toHash(columnsOf(rows, cosinesDown)));
  });
}

/** A hash, and for each of its bits how far the coefficient lies from the median: copies flip the bits of small margins first. */
export interface HashWithMargins {
  hash: PerceptualHash;
  margins: Float64Array;
}

/**
 * @param range of both sides. One beyond the image extends it by its outermost pixels, as if the image were the inner part of a larger
 * one.
 */
export function hashWithMargins(plane: Plane, range: Range): HashWithMargins {
  const spectrum = spectrumOf(plane, range);
  const median = medianOf(spectrum);
  return { hash: toHash(spectrum), margins: spectrum.map((value) => Math.abs(value - median)) };
}

/** The hashes of the image in all rotations by 90° and reflections: eight hashes from one transform. */
export function hashesOfAllOrientations(plane: Plane): PerceptualHash[] {
  const spectrum = spectrumOf(plane, WHOLE);
  const flips = [false, true];
  return flips.flatMap((transposed) =>
    flips.flatMap((upsideDown) =>
      flips.map((mirrored) => toHash(orient(spectrum, { transposed, upsideDown, mirrored }))),
    ),
  );
}

/** The numbers of the bits, those of low frequencies first. */
export const BITS_BY_FREQUENCY: readonly number[] = Array.from({ length: HASH_BITS }, (_, bit) => bit).sort(
  (one, other) => frequencyOf(one) - frequencyOf(other),
);

function frequencyOf(bit: number): number {
  return Math.hypot(Math.floor(bit / FREQUENCIES) + 1, (bit % FREQUENCIES) + 1);
}

/** Hamming distance of two hashes, of 256 bits. Unrelated images differ in about half. */
export function distanceBetween(one: PerceptualHash, other: PerceptualHash): number {
  return one.reduce((distance, word, index) => distance + countBits(word ^ (other[index] ?? 0)), 0);
}

/** The mean difference of neighbouring pixels, 0 to 255: a measure of detail. */
export function detailOf(plane: Plane): number {
  return sumOfDifferences(plane, (difference) => difference) / (2 * PLANE_SIDE * (PLANE_SIDE - 1));
}

/**
 * The PDQ quality of the image, from 0 to 100; 100 means many edges. Differences count in whole percents, so that the many
 * small differences of a soft background count as zero.
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

/** Rows first, then columns: the two-dimensional transform is separable. */
function spectrumOf(plane: Plane, range: Range): Spectrum {
  const table = cosines(range);
  return columnsOf(rowsOf(plane, table), table);
}

function rowsOf(plane: Plane, across: Float64Array): Float64Array {
  const rows = new Float64Array(PLANE_SIDE * FREQUENCIES);
  for (let y = 0; y < PLANE_SIDE; y++) {
    for (let k = 0; k < FREQUENCIES; k++) {
      let sum = 0;
      for (let x = 0; x < PLANE_SIDE; x++) sum += at(plane, y * PLANE_SIDE + x) * at(across, k * PLANE_SIDE + x);
      rows[y * FREQUENCIES + k] = sum;
    }
  }
  return rows;
}

function columnsOf(rows: Float64Array, down: Float64Array): Spectrum {
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

/** Cosines of frequencies 1 to 16 over the range, each pixel weighted by its share in it. */
function cosines({ start, end }: Range): Float64Array {
  const table = new Float64Array(FREQUENCIES * PLANE_SIDE);
  for (let pixel = 0; pixel < PLANE_SIDE; pixel++) {
    const from = pixel === 0 ? start : Math.max(pixel / PLANE_SIDE, start);
    const to = pixel === PLANE_SIDE - 1 ? end : Math.min((pixel + 1) / PLANE_SIDE, end);
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

/** Reflecting an image inverts the sign of every odd frequency. Index 0 holds frequency 1. */
function orient(spectrum: Spectrum, { transposed, upsideDown, mirrored }: Orientation): Spectrum {
  return spectrum.map((_, index) => {
    const [i, k] = [Math.floor(index / FREQUENCIES), index % FREQUENCIES];
    const value = at(spectrum, transposed ? k * FREQUENCIES + i : index);
    const turned = (upsideDown && i % 2 === 0) !== (mirrored && k % 2 === 0);
    return turned ? -value : value;
  });
}

/** Each bit is the side of the median on which the coefficient lies; brightness and contrast do not change it. */
function toHash(spectrum: Spectrum): PerceptualHash {
  const median = medianOf(spectrum);
  const hash = new Uint32Array(HASH_BITS / WORD_BITS);
  spectrum.forEach((value, index) => {
    if (value > median) hash[index >> 5] = (hash[index >> 5] ?? 0) | (1 << (index % WORD_BITS));
  });
  return hash;
}

function medianOf(spectrum: Spectrum): number {
  const sorted = Float64Array.from(spectrum).sort();
  return (at(sorted, HASH_BITS / 2 - 1) + at(sorted, HASH_BITS / 2)) / 2;
}

export function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Every index is within the array; this only satisfies the compiler. */
function at(numbers: Float64Array, index: number): number {
  return numbers[index] ?? 0;
}

const WORD_DIGITS = 8;
const WORDS = 8;

/** Parses a hash as PDQ writes it: 64 hexadecimal digits, the bit of the highest frequency first. */
export function hashOfHex(hex: string): PerceptualHash {
  return Uint32Array.from({ length: WORDS }, (_, word) => {
    const end = hex.length - word * WORD_DIGITS;
    return Number.parseInt(hex.slice(end - WORD_DIGITS, end), 16);
  });
}

export function hexOfHash(hash: PerceptualHash): string {
  return [...hash]
    .reverse()
    .map((word) => word.toString(16).padStart(WORD_DIGITS, '0'))
    .join('');
}
