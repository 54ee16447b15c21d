import { hashWithMargins, type HashWithMargins, type PerceptualHash } from '../image/perceptual-hash';
import type { Plane } from '../judging/engine';
import { luminancesOf } from './field-luminances';

/**
 * The image as it is, and as the inner part of one whose sides were cropped by these shares. The outermost pixels stand for what was
 * cut off: their hashes are close to that of the whole original.
 */
const CROPPED_SHARES = [0, 0.0075, 0.015];
/** The bits with the largest margins, which copies keep. Other images differ in half of them too. */
const STRONG_BITS = 128;

export interface AskedHash extends HashWithMargins {
  /** One bit for each bit of the hash: whether it counts. */
  strong: PerceptualHash;
  /** Those of the image as it is. */
  luminances: Buffer;
}

export function askedHashesOf(plane: Plane): AskedHash[] {
  const luminances = luminancesOf(plane);
  return CROPPED_SHARES.map((share) => {
    const border = -share / (1 - 2 * share);
    const hashed = hashWithMargins(plane, { start: border, end: 1 - border });
    return { ...hashed, strong: strongBitsOf(hashed), luminances };
  });
}

function strongBitsOf({ hash, margins }: HashWithMargins): PerceptualHash {
  const strong = new Uint32Array(hash.length);
  const strongest = [...margins.keys()].sort((one, other) => (margins[other] ?? 0) - (margins[one] ?? 0));
  for (const bit of strongest.slice(0, STRONG_BITS)) strong[bit >> 5] = (strong[bit >> 5] ?? 0) | (1 << (bit & 31));
  return strong;
}
