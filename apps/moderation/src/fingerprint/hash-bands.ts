import { BITS_BY_FREQUENCY, type HashWithMargins, type PerceptualHash } from '../image/perceptual-hash';

/**
 * The hash is cut into bands, and an index finds the hashes that agree with another one in a whole band (locality-sensitive hashing).
 * A band has bits of neighbouring frequencies: copies lose high frequencies first, so that the bands of low ones stay whole. With 20
 * bits, ten million random hashes leave ten candidates for a value of a band.
 */
const BAND_BITS = 20;
export const BANDS = 12;
/** A copy flips the bits that were close to the median first: those of each band are tried both ways (multi-probe). */
const TRIED_BITS = 3;

/** The bits of each band, low frequencies first. */
const BITS_OF_BANDS = Array.from({ length: BANDS }, (_, band) =>
  BITS_BY_FREQUENCY.slice(band * BAND_BITS, (band + 1) * BAND_BITS),
);

/** The values by which a hash is found, one for each band. */
export function bandsOf(hash: PerceptualHash): number[] {
  return BITS_OF_BANDS.map((bits) => bandValue(hash, bits));
}

/** For each band the values of the hashes that may be those of copies. */
export function bandsAround({ hash, margins }: HashWithMargins): number[][] {
  return BITS_OF_BANDS.map((bits) => {
    const value = bandValue(hash, bits);
    const places = [...bits.keys()].sort((one, other) => marginAt(margins, bits, one) - marginAt(margins, bits, other));
    return masksOf(places.slice(0, TRIED_BITS)).map((mask) => value ^ mask);
  });
}

function bandValue(hash: PerceptualHash, bits: readonly number[]): number {
  return bits.reduce((value, bit, place) => value | (bitOf(hash, bit) << place), 0);
}

function bitOf(hash: PerceptualHash, bit: number): number {
  return ((hash[bit >> 5] ?? 0) >>> (bit & 31)) & 1;
}

function marginAt(margins: Float64Array, bits: readonly number[], place: number): number {
  return margins[bits[place] ?? 0] ?? 0;
}

/** Every combination of the bits at the places. */
function masksOf(places: readonly number[]): number[] {
  return places.reduce<number[]>((masks, place) => [...masks, ...masks.map((mask) => mask | (1 << place))], [0]);
}
