/** In random bytes, a run of this length is at any one place once in 10^13 times. */
const RUN_BYTES = 32;
const [FIRST_PRINTABLE, LAST_PRINTABLE] = [0x20, 0x7e];

/**
 * Whether coded pixels contain a run of printable ASCII. Entropy-coded data looks random, but a decoder does not read all
 * of it: a JPEG scan and a WebP image may have bytes behind their last pixel, and only another decode would find where
 * they begin. A prompt or a workflow that was put there is found by this; a message that is itself coded is not, nor is
 * one in the pixels.
 */
export function hasReadableText(bytes: Buffer): boolean {
  // Compares from the end of a possible run: the first other byte rules out all runs that contain it.
  let end = RUN_BYTES - 1;
  while (end < bytes.length) {
    let at = end;
    while (at > end - RUN_BYTES && isPrintable(bytes[at] ?? 0)) at -= 1;
    if (at === end - RUN_BYTES) return true;
    end = at + RUN_BYTES;
  }
  return false;
}

function isPrintable(byte: number): boolean {
  return byte >= FIRST_PRINTABLE && byte <= LAST_PRINTABLE;
}
