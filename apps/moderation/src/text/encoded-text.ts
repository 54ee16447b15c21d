import { decodeBase32 } from './base32';
import { readBase64 } from './base64';
import { readNumbers } from './number-codes';
import { readSpelledByNames } from './spelling-alphabet';

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
