/** None of these begins inside a longer word, where it would be looked for at every letter. */
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{8,}={0,2}/g;
/** As programs break it into lines. */
const LINES = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{8,}(?:\r?\n[A-Za-z0-9+/]+)+={0,2}/g;
/** In groups of four, each of which says its three bytes by itself; and in single letters. */
const GROUPS = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{4}(?: [A-Za-z0-9+/]{4})+(?: [A-Za-z0-9+/]{2,3}={1,2})?/g;
const SPACED = /(?<!\S)[A-Za-z0-9+/](?: [A-Za-z0-9+/=]){7,}(?!\S)/g;
/** Of a word in small letters, which Base64 is not, nothing is worth turning round. */
const MIXED = /[A-Z0-9]/;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SIX_BITS = new Uint8Array(128);
for (let value = 0; value < ALPHABET.length; value++) SIX_BITS[ALPHABET.charCodeAt(value)] = value;
SIX_BITS['-'.charCodeAt(0)] = 62;
SIX_BITS['_'.charCodeAt(0)] = 63;

/** What the parts of a text say that may be Base64. */
export function readBase64(text: string, decodeBytes: (bytes: Buffer) => string): string[] {
  const decode = (part: string): string =>
    mayBeText(part.charCodeAt(0), part.charCodeAt(1), part.charCodeAt(2))
      ? decodeBytes(Buffer.from(part, 'base64'))
      : '';
  const decodeTurned = (part: string): string => {
    const last = part.length - 1;
    const mayBe = mayBeText(part.charCodeAt(last), part.charCodeAt(last - 1), part.charCodeAt(last - 2));
    return mayBe ? decode(reverse(part)) : '';
  };
  return [
    ...(text.includes('\n') ? (text.match(LINES) ?? []).map(decode) : []),
    ...(text.match(BASE64) ?? []).flatMap((part) =>
      MIXED.test(part) ? [decode(part), decodeTurned(part)] : [decode(part)],
    ),
    ...(text.match(SPACED) ?? []).map((part) => decode(part.replaceAll(' ', ''))),
    ...(text.match(GROUPS) ?? []).map((part) => part.split(' ').map(decode).join('')),
  ];
}

/**
 * Whether the first two bytes can begin a text: UTF-8, or two bytes a letter. Every long word is also Base64 of something,
 * and nine in ten show here that it is of nothing.
 */
function mayBeText(one: number, two: number, three: number): boolean {
  const bits = (sixBitsOf(one) << 12) | (sixBitsOf(two) << 6) | sixBitsOf(three);
  const first = bits >> 10;
  const second = (bits >> 2) & 0xff;
  if (second === 0) return true;
  const isContinuation = second >= 0x80 && second < 0xc0;
  return first < 0x80 ? !isContinuation : first >= 0xc2 && isContinuation;
}

/** Beyond the alphabet lies what ends a part. */
function sixBitsOf(code: number): number {
  return SIX_BITS[code] ?? 0;
}

function reverse(part: string): string {
  return [...part].reverse().join('');
}
