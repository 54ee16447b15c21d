import { readFigures, readFiguresAndSigns, replaceLookalikes } from './confusables';

/** One way to read a text: lower-case words, with what stands between them as a single space or as nothing. */
export interface Reading {
  /** Every run of signs and spaces is one space: `b-l o.r` is `b l o r`. */
  spaced: string;
  /** Only spaces divide: `b-l o.r` is `bl or`. */
  joined: string;
  /** Only the letters and figures, each once where it is repeated: `boook` is `bok`. */
  letters: string;
  /** Whether figures were read as letters; then `l` is `i`, in terms as well. */
  figuresAreLetters: boolean;
}

/** Marks, format and control characters, unassigned ones, and the blanks that Unicode counts as letters or symbols. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Cc}\p{Cn}\p{Co}\u115f\u1160\u2800]/gu;
const SPACE = /\s+/gu;
const NOT_SHOWN_AS_WORD = /[^\p{L}\p{N}]+/gu;
const SIGN = /[^\p{L}\p{N} ]+/gu;
const RIGHT_TO_LEFT_OVERRIDE = '\u202e';
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * Every reading of a copy of the text in which disguises are taken off: letters of other scripts, width, case, accents,
 * invisible characters, text direction, figures for letters. The text itself reaches the provider as it was sent.
 */
export function readingsOf(text: string): Reading[] {
  const plain = foldText(text);
  const directions = text.includes(RIGHT_TO_LEFT_OVERRIDE) ? [plain, Array.from(plain).reverse().join('')] : [plain];
  return directions.flatMap((folded) => [
    toReading(folded, false),
    toReading(readFigures(folded), true),
    toReading(readFiguresAndSigns(folded), true),
  ]);
}

/** The words of a term, as they are looked for in a reading. */
export function wordsOf(term: string, figuresAreLetters: boolean): string[] {
  const folded = foldText(term);
  return toReading(figuresAreLetters ? readFigures(folded) : folded, figuresAreLetters)
    .spaced.split(' ')
    .filter((word) => word !== '');
}

/** Every run of one letter as a single one. */
export function collapse(letters: string): string {
  return letters.replace(/(.)\1+/gsu, '$1');
}

function foldText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.toLowerCase();
  const letters = text.normalize('NFKD').replace(SPACE, ' ').replace(INVISIBLE, '');
  // By way of upper case, which also folds what has no lower case of its own, such as ß, and both forms of σ.
  return replaceLookalikes(replaceLookalikes(letters).toUpperCase().toLowerCase());
}

function toReading(folded: string, figuresAreLetters: boolean): Reading {
  return {
    spaced: folded.replace(NOT_SHOWN_AS_WORD, ' '),
    joined: folded.replace(SIGN, ''),
    letters: collapse(folded.replace(NOT_SHOWN_AS_WORD, '')),
    figuresAreLetters,
  };
}
