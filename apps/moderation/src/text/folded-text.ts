import { foldCharacter } from './fold-character';

/** The characters of a text without their disguises. */
export interface FoldedText {
  /** A code point each: letters in lower case, figures 0 to 9, signs, and the space. */
  codes: number[];
  /** Whether a part of a word begins here, as in CamelCase. */
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
  /** Of the ordinary letters; a disguised part of a word begins and ends where these do. */
  isOrdinary: boolean;
}

const LAST_ORDINARY_LETTER = 0x24f;
/** Beyond lie rare ideographs: a table of all code points would be large for nothing. */
const CACHED_CODE_POINTS = 0x20000;
const characters = new Array<FoldedCharacter | undefined>(CACHED_CODE_POINTS);
const kinds = new Array<CharacterKind | undefined>(CACHED_CODE_POINTS);

export function foldText(text: string): FoldedText {
  const folded: FoldedText = { codes: [], humps: [], hasFigures: false };
  const seen = Array.from(text, (character) => characterOf(character.codePointAt(0) ?? SPACE)).filter(
    ({ codes }) => codes.length > 0,
  );
  seen.forEach((character, at) => {
    const isHump = startsPart(character, seen[at - 1], seen[at + 1]);
    character.codes.forEach((code, index) => {
      folded.codes.push(code);
      folded.humps.push(isHump && index === 0);
      folded.hasFigures ||= kindOf(code) === 'figure';
    });
  });
  return folded;
}

/** A capital behind a small letter, the last of several capitals before a small one, or another kind of letters. */
function startsPart(character: FoldedCharacter, before?: FoldedCharacter, behind?: FoldedCharacter): boolean {
  if (!before) return false;
  if (character.isUpper && (before.isLower || (before.isUpper && behind?.isLower === true))) return true;
  return character.isOrdinary !== before.isOrdinary;
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
