import { MAX_FOLDED_CHARS, foldCharacter } from './fold-character';

/** The characters of a text without their disguises. */
export interface FoldedText {
  /** One code point for each character: letters in lower case, figures 0 to 9, signs, and the space. */
  codes: Uint32Array;
  /** The `KIND` of each character. */
  kinds: Uint8Array;
  /** 1 where a part of a word begins, as in CamelCase. */
  humps: Uint8Array;
}

/** Numbers instead of strings, because every character of a text has a kind and every reading tests it. */
export const KIND = { letter: 1, unspacedLetter: 2, figure: 3, sign: 4, space: 5 } as const;
type CharacterKind = (typeof KIND)[keyof typeof KIND];

export const SPACE = 0x20;
const LETTER = /[\p{L}\p{M}]/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
/** Scripts without spaces, or with particles attached to words: a word has no visible boundary there. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;

interface FoldedCharacter {
  codes: readonly number[];
  kinds: readonly number[];
  isUpper: boolean;
  isLower: boolean;
  /** A letter of the ordinary alphabet. A disguised part of a word begins and ends at ordinary letters. */
  isOrdinary: boolean;
}

const LAST_ORDINARY_LETTER = 0x24f;
/** Code points beyond this take two UTF-16 units. */
const LAST_OF_ONE_UNIT = 0xffff;
/** Code points beyond this are rare ideographs; a larger table would waste memory. */
const CACHED_CODE_POINTS = 0x20000;
const characters = new Array<FoldedCharacter | undefined>(CACHED_CODE_POINTS);
/** Zero for a character whose kind is not cached yet. */
const knownKinds = new Uint8Array(CACHED_CODE_POINTS);

/** Buffers that are reused for each text; the length of the result is only known at the end. */
let codes = new Uint32Array(0);
let kinds = new Uint8Array(0);
let humps = new Uint8Array(0);

/** One pass over the text, because every reading of every prompt is folded. */
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
    // The last of several capitals begins the part of the small letters after it.
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

/** Folds each text once: readings that differ only in what folding removes are duplicates. */
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

/** A capital after a small letter, or a change of script. */
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
