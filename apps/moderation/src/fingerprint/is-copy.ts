import { differenceBetween } from './field-luminances';

/** Of the strong bits, where the luminances are the same. */
export const MAX_STRONG_BITS = 26;
/** Of the luminances, where all strong bits are the same. */
const MAX_DIFFERENCE = 0.54;
/** For a record of an earlier version, which has no luminances. */
const MAX_STRONG_BITS_ALONE = 9;

/** The distance of a known picture from an asked one. */
export interface Distance {
  strongBits: number;
  /** Null where an earlier version has recorded the picture. */
  known: Buffer | null;
  asked: Buffer;
}

/** Whether the asked picture is a copy. Few pairs of other pictures are near by both measures. */
export function isCopy({ strongBits, known, asked }: Distance): boolean {
  if (known === null) return strongBits <= MAX_STRONG_BITS_ALONE;
  return strongBits / MAX_STRONG_BITS + differenceBetween(known, asked) / MAX_DIFFERENCE <= 1;
}
