import type { PerceptualHash } from './perceptual-hash';

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
