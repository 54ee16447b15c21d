import { MAX_FOLDED_CHARS, foldCharacter } from './fold-character';

/** The characters of a text without their disguises. */
export interface FoldedText {
  /** A code point each: letters in lower case, figures 0 to 9, signs, and the space. */
  codes: Uint32Array;
  /** One where a part of a word begins, as in CamelCase. */
  humps: Uint8Array;
}

export type CharacterKind = 'letter' | 'unspaced letter' | 'figure' | 'sign' | 'space';

export const SPACE = 0x20;
const LETTER = /[\p{L}\p{M}]/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
/** Scripts that write no spaces, or write particles onto a word: there a word has no visible border. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;

interface FoldedCharacter {
  codes: readonly number[];
  isUpper: boolean;
  isLower: boolean;
  /** Of the ordinary letters; a disguised part of a word begins and ends where these do. */
  isOrdinary: boolean;
}

const LAST_ORDINARY_LETTER = 0x24f;
/** A code point beyond takes two units of a string. */
const LAST_OF_ONE_UNIT = 0xffff;
/** Beyond lie rare ideographs: a table of all code points would be large for nothing. */
const CACHED_CODE_POINTS = 0x20000;
const characters = new Array<FoldedCharacter | undefined>(CACHED_CODE_POINTS);
const kinds = new Array<CharacterKind | undefined>(CACHED_CODE_POINTS);

/** In one pass over the text, because every reading of every prompt is folded. */
export function foldText(text: string): FoldedText {
  const codes = new Uint32Array(text.length * MAX_FOLDED_CHARS);
  const humps = new Uint8Array(codes.length);
  let length = 0;
  let before: FoldedCharacter | undefined;
  let beforeAt = 0;
  let isSecondCapital = false;
  let codePoint = SPACE;
  for (let at = 0; at < text.length; at += codePoint > LAST_OF_ONE_UNIT ? 2 : 1) {
    codePoint = text.codePointAt(at) ?? SPACE;
    const character = characterOf(codePoint);
    if (character.codes.length === 0) continue;
    if (before && startsPart(character, before)) humps[length] = 1;
    // The last of several capitals begins the part whose small letters follow.
    if (isSecondCapital && character.isLower) humps[beforeAt] = 1;
    isSecondCapital = character.isUpper && before?.isUpper === true;
    before = character;
    beforeAt = length;
    for (const code of character.codes) codes[length++] = code;
  }
  return { codes: codes.subarray(0, length), humps: humps.subarray(0, length) };
}

/** Each text once: readings of one that differ only in what folding takes off say the same. */
export function foldDistinct(texts: readonly string[]): FoldedText[] {
  if (texts.length === 1) return texts.map(foldText);
  const distinct = new Map<string, FoldedText>();
  for (const text of texts) {
    const folded = foldText(text);
    distinct.set(bytesOf(folded.codes) + bytesOf(folded.humps), folded);
  }
  return [...distinct.values()];
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** A capital behind a small letter, or another kind of letters. */
function startsPart(character: FoldedCharacter, before: FoldedCharacter): boolean {
  return (character.isUpper && before.isLower) || character.isOrdinary !== before.isOrdinary;
}

export function kindOf(code: number): CharacterKind {
  if (code >= CACHED_CODE_POINTS) return classify(code);
  return (kinds[code] ??= classify(code));
}

function characterOf(codePoint: number): FoldedCharacter {
  if (codePoint >= CACHED_CODE_POINTS) return fold(codePoint);
  return (characters[codePoint] ??= fold(codePoint));
}

function fold(codePoint: number): FoldedCharacter {
  const character = String.fromCodePoint(codePoint);
  const codes = Array.from(foldCharacter(character), (left) => left.codePointAt(0) ?? SPACE);
  return {
    codes,
    isUpper: UPPER.test(character),
    isLower: LOWER.test(character),
    isOrdinary: codePoint <= LAST_ORDINARY_LETTER,
  };
}

function classify(code: number): CharacterKind {
  if (code === SPACE) return 'space';
  if (code >= 0x30 && code <= 0x39) return 'figure';
  const character = String.fromCodePoint(code);
  if (UNSPACED.test(character)) return 'unspaced letter';
  return LETTER.test(character) ? 'letter' : 'sign';
}
