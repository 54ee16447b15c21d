import { MAX_FOLDED_CHARS, foldCharacter } from './fold-character';

/** The characters of a text without their disguises. */
export interface FoldedText {
  /** A code point each: letters in lower case, figures 0 to 9, signs, and the space. */
  codes: Uint32Array;
  /** The `KIND` of each. */
  kinds: Uint8Array;
  /** One where a part of a word begins, as in CamelCase. */
  humps: Uint8Array;
}

/** Numbers, because a text keeps one of each character, and all readings ask for it. */
export const KIND = { letter: 1, unspacedLetter: 2, figure: 3, sign: 4, space: 5 } as const;
export type CharacterKind = (typeof KIND)[keyof typeof KIND];

export const SPACE = 0x20;
const LETTER = /[\p{L}\p{M}]/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
/** Scripts that write no spaces, or write particles onto a word: there a word has no visible border. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;

interface FoldedCharacter {
  codes: readonly number[];
  kinds: readonly number[];
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
/** Zero for a character that nobody has asked for yet. */
const knownKinds = new Uint8Array(CACHED_CODE_POINTS);

/** Room for the text that is being folded, used again for the next one; how long it will be is known only at its end. */
let codes = new Uint32Array(0);
let kinds = new Uint8Array(0);
let humps = new Uint8Array(0);

/** In one pass over the text, because every reading of every prompt is folded. */
export function foldText(text: string): FoldedText {
  clearRoom(text.length * MAX_FOLDED_CHARS);
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
    for (let part = 0; part < character.codes.length; part++) {
      codes[length] = character.codes[part] ?? SPACE;
      kinds[length++] = character.kinds[part] ?? KIND.space;
    }
  }
  return { codes: codes.slice(0, length), kinds: kinds.slice(0, length), humps: humps.slice(0, length) };
}

function clearRoom(most: number): void {
  if (most > codes.length) {
    codes = new Uint32Array(most);
    kinds = new Uint8Array(most);
    humps = new Uint8Array(most);
  } else humps.fill(0, 0, most);
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
  if (knownKinds[code] === 0) knownKinds[code] = classify(code);
  return knownKinds[code] as CharacterKind;
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
    kinds: codes.map(kindOf),
    isUpper: UPPER.test(character),
    isLower: LOWER.test(character),
    isOrdinary: codePoint <= LAST_ORDINARY_LETTER,
  };
}

function classify(code: number): CharacterKind {
  if (code === SPACE) return KIND.space;
  if (code >= 0x30 && code <= 0x39) return KIND.figure;
  const character = String.fromCodePoint(code);
  if (UNSPACED.test(character)) return KIND.unspacedLetter;
  return LETTER.test(character) ? KIND.letter : KIND.sign;
}
