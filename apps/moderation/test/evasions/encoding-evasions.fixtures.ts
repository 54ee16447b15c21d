/** Encodings that a program or a language model can decode. */
type EncodingEvasion = (text: string) => string;

const MORSE =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'.split(
    ' ',
  );
const LETTER_NAMES =
  'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu'.split(
    ' ',
  );
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const UPSIDE_DOWN = [...'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz'];

export const ENCODING_EVASIONS: Readonly<Record<string, EncodingEvasion>> = {
  'decimal entities': (text) => eachCharacter(text, (code) => `&#${code};`),
  'hexadecimal entities': (text) => eachCharacter(text, (code) => `&#x${code.toString(16)};`),
  'entities of entities': (text) => eachCharacter(text, (code) => `&amp;#${code};`),
  'named entities between': (text) => [...text].join('&shy;'),
  'percent escapes': (text) =>
    Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'Unicode escapes': (text) =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  'code points': (text) => eachCharacter(text, (code) => `U+${code.toString(16).padStart(4, '0').toUpperCase()}`),
  'escapes of style sheets': (text) => eachCharacter(text, (code) => `\\${code.toString(16)} `),
  'names of characters': (text) =>
    text.replace(/[a-z]/gi, (letter) => `\\N{LATIN SMALL LETTER ${letter.toUpperCase()}}`),
  'tag characters': (text) => eachCharacter(text, (code) => String.fromCodePoint(code < 0x80 ? code + 0xe0000 : code)),
  base64: (text) => Buffer.from(text).toString('base64'),
  base32: (text) => toBase32(Buffer.from(text)),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'hexadecimal bytes': (text) => (Buffer.from(text).toString('hex').match(/../g) ?? []).join(' '),
  'decimal bytes': (text) => [...Buffer.from(text)].join(' '),
  'octal bytes': (text) => Array.from(Buffer.from(text), (byte) => byte.toString(8)).join(' '),
  'a program that writes it': (text) => Array.from(Buffer.from(text), (byte) => `chr(${byte})`).join('+'),
  'places in the alphabet': (text) =>
    Array.from(text.toLowerCase(), (letter) => (letter === ' ' ? '0' : `${letter.charCodeAt(0) - 96}`)).join('-'),
  'names of letters': (text) =>
    Array.from(text.toLowerCase(), (letter) => LETTER_NAMES[letter.charCodeAt(0) - 97] ?? '').join(' '),
  'binary bytes': (text) => Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join(' '),
  'Morse code': (text) =>
    text
      .toLowerCase()
      .split(' ')
      .map((word) => Array.from(word, (letter) => MORSE[letter.charCodeAt(0) - 97] ?? '').join(' '))
      .join(' / '),
  'a right-to-left override': (text) => `\u202e${[...text].reverse().join('')}\u202c`,
  'upside down': (text) => [...text].map(upsideDown).reverse().join(''),
  'upside down, from left to right': (text) => [...text].map(upsideDown).join(''),
  'in columns': (text) => `\n${[...text].map((letter) => `${letter} x`).join('\n')}\n`,
};

function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '');
  return letters.join('').padEnd(Math.ceil(letters.length / 8) * 8, '=');
}

function eachCharacter(text: string, write: (codePoint: number) => string): string {
  return Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join('');
}

function upsideDown(letter: string): string {
  return UPSIDE_DOWN[letter.charCodeAt(0) - 97] ?? letter;
}
