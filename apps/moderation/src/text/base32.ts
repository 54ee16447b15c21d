const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const BITS_A_LETTER = 5;
const BITS_A_BYTE = 8;
/** Line breaks and tabs are printable here, and real evasions had the bell character between letters. */
const FIRST_SHOWN = 0x07;

/** The decoded text; empty where the bytes are not UTF-8, which for nearly every ordinary word shows at the second letter. */
export function decodeBase32(written: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  let expected = 0;
  for (const letter of written.toLowerCase()) {
    bits = (bits << BITS_A_LETTER) | LETTERS.indexOf(letter);
    held += BITS_A_LETTER;
    if (held < BITS_A_BYTE) continue;
    held -= BITS_A_BYTE;
    const byte = bits >>> held;
    bits &= (1 << held) - 1;
    const isContinuation = byte >= 0x80 && byte < 0xc0;
    if (isContinuation !== expected > 0 || byte < FIRST_SHOWN) return '';
    expected = isContinuation ? expected - 1 : continuationsOf(byte);
    bytes.push(byte);
  }
  return expected > 0 ? '' : Buffer.from(bytes).toString('utf8');
}

/** The number of continuation bytes of a UTF-8 character. */
function continuationsOf(first: number): number {
  if (first < 0x80) return 0;
  if (first < 0xe0) return 1;
  return first < 0xf0 ? 2 : 3;
}
