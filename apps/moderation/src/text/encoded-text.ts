const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const BITS_A_LETTER = 5;
const BITS_A_BYTE = 8;
/** Line breaks and tabs are printable here, and real evasions had the bell character between letters. */
const FIRST_SHOWN = 0x07;

/** The decoded text; empty where the bytes are not UTF-8, which for nearly every ordinary word shows at the second letter. */
function decodeBase32(written: string): string {
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
function readBase64(text: string, decodeBytes: (bytes: Buffer) => string): string[] {
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

/** Four or more numbers with signs between them, or with the code around each, as in `chr(97)+chr(98)`. */
const NUMBERS =
  /(?<!\d)\d{1,3}(?:(?:[^\p{L}\d]{1,8}\d{1,3}(?!\d)){3,}|(?<written>\D{1,8})\d{1,3}(?!\d)(?:\k<written>\d{1,3}(?!\d)){2,})/gu;
/** Prefix of octal numbers in programs. */
const OCTAL_MARK = /0o(?=[0-7]{2,3}(?!\d))/g;
const LAST_BYTE = 255;
const ALPHABET_LETTERS = 26;
const CODE_OF_A = 97;

/** The text that a list of numbers encodes: bytes in decimal or octal, or positions in the alphabet. */
function readNumbers(text: string, decodeBytes: (bytes: Buffer) => string): string[] {
  return (text.replace(OCTAL_MARK, '').match(NUMBERS) ?? []).flatMap((part) => {
    const written = part.match(/\d+/g) ?? [];
    const numbers = written.map(Number);
    const said: string[] = [];
    if (numbers.every((number) => number <= LAST_BYTE)) said.push(decodeBytes(Buffer.from(numbers)));
    if (written.every(isOctal))
      said.push(decodeBytes(Buffer.from(written.map((digits) => Number.parseInt(digits, 8)))));
    if (2 * numbers.filter(isPlace).length > numbers.length) said.push(numbers.map(letterAt).join(''));
    return said;
  });
}

function isOctal(digits: string): boolean {
  return /^[0-3]?[0-7]{1,2}$/.test(digits);
}

function isPlace(number: number): boolean {
  return number > 0 && number <= ALPHABET_LETTERS;
}

/** Zero and numbers beyond the alphabet separate words. */
function letterAt(place: number): string {
  return isPlace(place) ? String.fromCharCode(CODE_OF_A + place - 1) : ' ';
}

/** The names of letters in radio alphabets, with their spelling variants. */
const NAMES =
  'alfa|alpha bravo charlie|charly delta echo foxtrot golf hotel india juliett|juliet|juliette kilo lima mike november oscar papa quebec romeo sierra tango uniform victor|viktor whiskey|whisky xray|x-ray|x_ray yankee zulu'.split(
    ' ',
  );
const LETTER_A = 97;
const LETTER_BY_NAME = new Map(
  NAMES.flatMap((names, index) =>
    names.split('|').map((name) => [name, String.fromCharCode(LETTER_A + index)] as const),
  ),
);
const NAME = `(?:${[...LETTER_BY_NAME.keys()].toSorted((one, other) => other.length - one.length).join('|')})`;
/** At least three names: two in a row may be ordinary words, such as a dance or a hotel, and no relevant term is so short. */
const SPELLED = new RegExp(`(?<![a-z])${NAME}(?:[^a-z]{1,3}${NAME}){2,}(?![a-z])`, 'gi');
const EACH_NAME = new RegExp(NAME, 'gi');

/** Decodes words that are spelled with the names of letters. */
function readSpelledByNames(text: string): string[] {
  return (text.match(SPELLED) ?? []).map((spelled) =>
    spelled.replace(EACH_NAME, (name) => LETTER_BY_NAME.get(name.toLowerCase()) ?? '').replace(/[^a-z]/g, ''),
  );
}

/** The lookbehind prevents matches inside a longer word, which would start a search at every letter. */
const BASE32 = /(?<![a-z2-7])[a-z2-7]{8,}/gi;
const HEX = /[0-9a-f]{2}[\s:,-]?(?:(?:0x|#)?[0-9a-f]{2}[\s:,-]?){3,}/gi;
const HEX_LIST = /0x[0-9a-f]{2}(?:[\s,;]{1,3}0x[0-9a-f]{2}){3,}/gi;
const BINARY = /(?:0b)?[01]{7,8}(?:[\s,]*(?:0b)?[01]{7,8}){2,}/g;
const MORSE = /[.·•∙\-−–—_]{1,5}(?:[\s/|]+[.·•∙\-−–—_]{1,5}){2,}/g;
/** Blanks are printable here, and real evasions had the bell character between letters. */
const UNREADABLE = /[\p{Cn}\p{Co}\p{Cs}\ufffd\0-\x06\x0e-\x1f\x7f]/u;

const FIGURE = /[0-9]/;
const MORSE_LETTERS =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'.split(
    ' ',
  );
const A = 97;

/** The decoded parts of a text in codes that a language model reads, nested codes too; empty when there are none. */
export function readEncoded(text: string): string {
  const once = readOnce(text);
  return once === '' ? '' : `${once} ${readOnce(once)}`;
}

function readOnce(text: string): string {
  const parts = [
    ...readBase64(text, decodeBytes),
    ...partsOf(text, BASE32).map(decodeBase32),
    ...readSpelledByNames(text),
    ...partsOf(text, MORSE).map(decodeMorse),
  ];
  // The bytes of letters of every script contain figures, in hexadecimal too.
  if (FIGURE.test(text)) parts.push(...readBytes(text));
  return parts.filter((part) => part !== '').join(' ');
}

function readBytes(text: string): string[] {
  return [
    ...partsOf(text, HEX).map((part) => decodeBytes(Buffer.from(part.replace(/0x|[\s:,#-]/gi, ''), 'hex'))),
    ...partsOf(text, HEX_LIST).map((part) => decodeBytes(Buffer.from(part.replace(/0x|[\s,;]/gi, ''), 'hex'))),
    ...readNumbers(text, decodeBytes),
    ...partsOf(text, BINARY).map(decodeBinary),
  ];
}

function partsOf(text: string, pattern: RegExp): string[] {
  return text.match(pattern) ?? [];
}

/** Random bytes are hardly ever valid text. */
function decodeBytes(bytes: Buffer): string {
  const text = bytes.toString(bytes.length > 1 && bytes[1] === 0 ? 'utf16le' : 'utf8');
  return UNREADABLE.test(text) ? '' : text;
}

function decodeBinary(part: string): string {
  const bits = part.replace(/0b|[\s,]/g, '');
  const size = bits.length % 8 === 0 ? 8 : 7;
  return decodeBytes(
    Buffer.from((bits.match(new RegExp(`.{${size}}`, 'g')) ?? []).map((byte) => Number.parseInt(byte, 2))),
  );
}

/** A slash, a bar or more than one space separates words. */
function decodeMorse(part: string): string {
  return part
    .replace(/[·•∙]/g, '.')
    .replace(/[−–—_]/g, '-')
    .split(/\s*[/|]\s*|\s{2,}/)
    .map((word) => word.split(/\s+/).map(letterOfMorse).join(''))
    .join(' ');
}

function letterOfMorse(signs: string): string {
  const index = MORSE_LETTERS.indexOf(signs);
  return index === -1 ? '' : String.fromCharCode(A + index);
}
