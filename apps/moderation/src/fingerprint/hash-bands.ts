import { BITS_BY_FREQUENCY, type HashWithMargins, type PerceptualHash } from '../image/perceptual-hash';

/** The registry stores the bits of a hash by frequency, low ones first, in numbers of this many bits. */
const STORED_BITS = 20;
export const STORED_NUMBERS = 12;

/**
 * An index for each band finds the hashes that agree with another one in the whole band (locality-sensitive hashing). A band has bits of
 * neighbouring frequencies: copies lose high frequencies first, so that the bands of low ones stay whole. With 24 bits, ten million
 * random hashes leave less than one candidate for a value of a band.
 */
const BAND_BITS = 24;
export const BANDS = 9;
/** A copy flips the bits that were close to the median first: the likeliest values of each band are tried (multi-probe). */
const TRIED_VALUES = 10;
/** The bits of a band that are closest to the median; the values differ in these. */
const TRIED_BITS = 7;

/** The bits of a hash as they are stored. */
export function storedBitsOf(hash: PerceptualHash): number[] {
  return Array.from({ length: STORED_NUMBERS }, (_, number) => numberOf(hash, bitsFrom(number, STORED_BITS)));
}

/** A band of the stored bits, in SQL: from a part of one number and of the next. */
export function bandSql(band: number): string {
  const number = Math.floor((band * BAND_BITS) / STORED_BITS) + 1;
  const skipped = (band * BAND_BITS) % STORED_BITS;
  const [low, high] = [`bands[${number}] >> ${skipped}`, `bands[${number + 1}] << ${STORED_BITS - skipped}`];
  return `(((${low}) | (${high})) & ${2 ** BAND_BITS - 1})`;
}

/** For each band the values of the hashes that may be those of copies of any asked picture. */
export function bandsAround(asked: readonly HashWithMargins[]): number[][] {
  return Array.from({ length: BANDS }, (_, band) => {
    const bits = bitsFrom(band, BAND_BITS);
    return [...new Set(asked.flatMap((one) => valuesAround(one, bits)))];
  });
}

function valuesAround({ hash, margins }: HashWithMargins, bits: readonly number[]): number[] {
  const value = numberOf(hash, bits);
  const doubtful = [...bits.entries()]
    .map(([place, bit]) => ({ mask: 1 << place, margin: margins[bit] ?? 0 }))
    .sort((one, other) => one.margin - other.margin)
    .slice(0, TRIED_BITS);
  return likeliest(doubtful).map(({ mask }) => value ^ mask);
}

interface Flip {
  mask: number;
  /** The sum of the margins of the flipped bits. */
  margin: number;
}

function likeliest(bits: readonly Flip[]): Flip[] {
  return bits.reduce<Flip[]>(
    (flips, bit) =>
      flips
        .flatMap((flip) => [flip, { mask: flip.mask | bit.mask, margin: flip.margin + bit.margin }])
        .sort((one, other) => one.margin - other.margin)
        .slice(0, TRIED_VALUES),
    [{ mask: 0, margin: 0 }],
  );
}

function bitsFrom(part: number, size: number): readonly number[] {
  return BITS_BY_FREQUENCY.slice(part * size, (part + 1) * size);
}

function numberOf(hash: PerceptualHash, bits: readonly number[]): number {
  return bits.reduce((value, bit, place) => value | ((((hash[bit >> 5] ?? 0) >>> (bit & 31)) & 1) << place), 0);
}
