import { LOOKALIKES } from './lookalikes';

/** Some ligatures are whole sentences; the characters beyond this limit cannot be part of a word. */
export const MAX_FOLDED_CHARS = 4;
/** Limits chains of lookalikes in the tables. */
const MAX_STEPS = 4;
/** Code points beyond this are rare ideographs, which fold to themselves; a larger table would waste memory. */
const CACHED_CODE_POINTS = 0x20000;

const SPACE = /[\s\p{Z}]/u;
const FIGURE = /\p{Nd}/u;
/** Combining marks that only decorate a letter. Marks of Indic scripts are vowels, and are kept. */
const ORNAMENT =
  /(?=\p{M})[\p{Script=Inherited}\p{Script=Common}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Hangul}]/u;
/**
 * Format and control characters, unassigned ones, default ignorables, and a blank and a stroke that Unicode classifies as
 * symbol and letter.
 */
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u0640]/u;
const LETTER = /\p{L}/u;
const SMALL_LIKE_CAPITALS = /(?=\p{Ll})[\p{Script=Cherokee}\p{Script=Coptic}]/u;
const LATIN_OR_FIGURE = /^[a-z0-9]/i;
const KATAKANA = { first: 0x30a1, last: 0x30f6, aboveHiragana: 0x60 };

/** Final consonants of a Korean syllable as the initial consonants with the same sound, in the order of Unicode from U+11A8. */
const FIRST_FINAL = 0x11a8;
const FINALS_AS_INITIALS =
  'ᄀ ᄁ ᄀᄉ ᄂ ᄂᄌ ᄂᄒ ᄃ ᄅ ᄅᄀ ᄅᄆ ᄅᄇ ᄅᄉ ᄅᄐ ᄅᄑ ᄅᄒ ᄆ ᄇ ᄇᄉ ᄉ ᄊ ᄋ ᄌ ᄎ ᄏ ᄐ ᄑ ᄒ'.split(' ');

/** Figures that letters of other scripts look like, mapped to the Latin letters that those figures stand for. */
const FIGURE_LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
};

const folded = new Array<string | undefined>(CACHED_CODE_POINTS);

/**
 * A character without its disguise: lower case, Latin where it looks Latin, without accents. A figure of any script becomes 0
 * to 9, any blank a space, and an invisible character an empty string.
 */
export function foldCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint >= CACHED_CODE_POINTS) return fold(character, MAX_STEPS);
  return (folded[codePoint] ??= fold(character, MAX_STEPS).slice(0, MAX_FOLDED_CHARS));
}

/** The letter that a figure stands for inside a word. */
export function letterOfFigure(figure: string): string {
  return FIGURE_LETTERS[figure] ?? figure;
}

function fold(character: string, stepsLeft: number): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (isBlank(character, codePoint)) return ' ';
  if (codePoint < 0x80) return INVISIBLE.test(character) ? '' : character.toLowerCase();
  if (INVISIBLE.test(character) || ORNAMENT.test(character)) return '';
  if (FIGURE.test(character)) return figureOf(character, codePoint);
  if (stepsLeft === 0) return character;
  const next = nextLook(character, codePoint);
  return next === character ? character : foldEach(next, stepsLeft - 1);
}

/** Line breaks and tabs are control characters, but visible. */
function isBlank(character: string, codePoint: number): boolean {
  return codePoint !== 0xfeff && SPACE.test(character);
}

function foldEach(characters: string, stepsLeft: number): string {
  let text = '';
  for (const character of characters) text += fold(character, stepsLeft);
  return text;
}

/** One step of the lookalike chain; the character itself when there is none. */
function nextLook(character: string, codePoint: number): string {
  const plain = character.normalize('NFKD');
  if (plain !== character && LATIN_OR_FIGURE.test(plain)) return plain;
  if (codePoint >= KATAKANA.first && codePoint <= KATAKANA.last) {
    return String.fromCodePoint(codePoint - KATAKANA.aboveHiragana);
  }
  const lower = character.toLowerCase();
  const look = LOOKALIKES.get(character) ?? lookOfCapital(character);
  // A capital becomes its own small letter, unless it looks like a Latin one. A sign is read as a Latin letter only: a dash
  // is no letter, although it looks like the Japanese long stroke.
  const isRead = isAscii(look ?? '') || (lower === character && LETTER.test(character));
  if (look !== undefined && isRead) return asLetter(character, look);
  if (lower !== character && lower.length <= character.length) return lower;
  return plain === character ? (FINALS_AS_INITIALS[codePoint - FIRST_FINAL] ?? character) : plain;
}

/** In scripts where small letters are smaller capitals, the tables list only the capitals. */
function lookOfCapital(character: string): string | undefined {
  return SMALL_LIKE_CAPITALS.test(character) ? LOOKALIKES.get(character.toUpperCase()) : undefined;
}

/** A letter that looks like a figure stays a letter, because figures separate words and would split words of its script. */
function asLetter(character: string, look: string): string {
  return LETTER.test(character) ? letterOfFigure(look) : look;
}

/** Unicode has the figures of each script in order, from zero. Figures of adjacent ranges have a decomposition, which is used. */
function figureOf(character: string, codePoint: number): string {
  const plain = character.normalize('NFKD');
  if (plain !== character) return plain;
  let zero = codePoint;
  while (codePoint - zero < 9 && FIGURE.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(codePoint - zero);
}

function isAscii(text: string): boolean {
  return text.charCodeAt(0) < 0x80;
}
