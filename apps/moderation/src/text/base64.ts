/** The lookbehind prevents matches inside a longer word, which would start a search at every letter. */
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{8,}={0,2}/g;
/** Base64 with the line breaks that programs insert. */
const LINES = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{8,}(?:\r?\n[A-Za-z0-9+/]+)+={0,2}/g;
/** Base64 in groups of four letters, each of which encodes three bytes, and in single letters. */
const GROUPS = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{4}(?: [A-Za-z0-9+/]{4})+(?: [A-Za-z0-9+/]{2,3}={1,2})?/g;
const SPACED = /(?<!\S)[A-Za-z0-9+/](?: [A-Za-z0-9+/=]){7,}(?!\S)/g;
/** A word in small letters is not Base64, so it is not reversed either. */
const MIXED = /[A-Z0-9]/;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SIX_BITS = new Uint8Array(128);
for (let value = 0; value < ALPHABET.length; value++) SIX_BITS[ALPHABET.charCodeAt(value)] = value;
SIX_BITS['-'.charCodeAt(0)] = 62;
SIX_BITS['_'.charCodeAt(0)] = 63;

/** The decoded texts of all parts that may be Base64. */
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
 * Whether the first two bytes can begin a text: UTF-8, or two bytes for each letter. Every long word is valid Base64, and this
 * check rejects nine in ten of them.
 */
function mayBeText(one: number, two: number, three: number): boolean {
  const bits = (sixBitsOf(one) << 12) | (sixBitsOf(two) << 6) | sixBitsOf(three);
  const first = bits >> 10;
  const second = (bits >> 2) & 0xff;
  if (second === 0) return true;
  const isContinuation = second >= 0x80 && second < 0xc0;
  return first < 0x80 ? !isContinuation : first >= 0xc2 && isContinuation;
}

/** Characters outside the alphabet end a part. */
function sixBitsOf(code: number): number {
  return SIX_BITS[code] ?? 0;
}

function reverse(part: string): string {
  return [...part].reverse().join('');
}
