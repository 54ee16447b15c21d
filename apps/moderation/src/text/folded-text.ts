import { foldCharacter } from './fold-character';

/** The characters of a text without their disguises. */
export interface FoldedText {
  /** A code point each: letters in lower case, figures 0 to 9, signs, and the space. */
  codes: number[];
  /** Whether a capital follows a small letter here. */
  humps: boolean[];
  hasFigures: boolean;
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
}

/** Beyond lie rare ideographs: a table of all code points would be large for nothing. */
const CACHED_CODE_POINTS = 0x20000;
const characters = new Array<FoldedCharacter | undefined>(CACHED_CODE_POINTS);
const kinds = new Array<CharacterKind | undefined>(CACHED_CODE_POINTS);

export function foldText(text: string): FoldedText {
  const folded: FoldedText = { codes: [], humps: [], hasFigures: false };
  let afterLower = false;
  for (let index = 0; index < text.length; index++) {
    const codePoint = text.codePointAt(index) ?? SPACE;
    if (codePoint > 0xffff) index += 1;
    const { codes, isUpper, isLower } = characterOf(codePoint);
    for (const code of codes) {
      folded.codes.push(code);
      folded.humps.push(afterLower && isUpper);
      folded.hasFigures ||= kindOf(code) === 'figure';
    }
    if (codes.length > 0) afterLower = isLower;
  }
  return folded;
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
  return {
    codes: Array.from(foldCharacter(character), (left) => left.codePointAt(0) ?? SPACE),
    isUpper: UPPER.test(character),
    isLower: LOWER.test(character),
  };
}

function classify(code: number): CharacterKind {
  if (code === SPACE) return 'space';
  if (code >= 0x30 && code <= 0x39) return 'figure';
  const character = String.fromCodePoint(code);
  if (UNSPACED.test(character)) return 'unspaced letter';
  return LETTER.test(character) ? 'letter' : 'sign';
}
