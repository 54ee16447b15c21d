import { type Reading, collapse, wordsOf } from './fold-text';

/** A shorter term may come about by chance where one word ends and the next begins: `it's ex-` holds `s ex`. */
const MIN_LETTERS_TO_SPAN_WORDS = 6;
/** A shorter term may be part of an innocent word, as `assassin` shows; a longer one is meant. */
const MIN_LETTERS_INSIDE_WORDS = 12;
/** Scripts that write no spaces, or write particles onto a word: there a word has no visible border. */
const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const FIGURE = /\p{N}/u;

interface SearchedTerm {
  /** Must occur in a reading's letters, or nothing can match; this is what makes a thousand terms quick. */
  letters: string;
  pattern: RegExp;
}

/** Finds whether any of some terms stands in a text, however it was disguised. */
export class TermMatcher {
  private readonly asWritten: SearchedTerm[];
  private readonly inFigures: SearchedTerm[];

  constructor(terms: readonly string[]) {
    this.asWritten = terms.map((term) => toSearched(wordsOf(term, false)));
    // A term with figures of its own is only looked for as written: `b4nk` must not forbid `bank`.
    this.inFigures = terms.filter((term) => !FIGURE.test(term)).map((term) => toSearched(wordsOf(term, true)));
  }

  matches(readings: readonly Reading[]): boolean {
    return readings.some(({ spaced, joined, letters, figuresAreLetters }) =>
      (figuresAreLetters ? this.inFigures : this.asWritten).some(
        (term) => letters.includes(term.letters) && (term.pattern.test(spaced) || term.pattern.test(joined)),
      ),
    );
  }
}

/** Whether a term has anything that could be looked for. */
export function isSearchable(term: string): boolean {
  return wordsOf(term, false).join('').length >= 2;
}

function toSearched(words: readonly string[]): SearchedTerm {
  return { letters: collapse(words.join('')), pattern: new RegExp(patternOf(words), 'u') };
}

function patternOf(words: readonly string[]): string {
  const letters = words.join('');
  const pattern =
    letters.length < MIN_LETTERS_TO_SPAN_WORDS
      ? `${words.map((word) => spell(word, '')).join(' ')}|${spell(letters, ' ')}`
      : spell(letters, ' ?');
  if (letters.length >= MIN_LETTERS_INSIDE_WORDS || UNSPACED_SCRIPT.test(letters)) return pattern;
  return `(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`;
}

/** Each letter at least as often as in the term, with the gap between any two. Neighbours differ, so matching stays linear. */
function spell(letters: string, gap: string): string {
  const runs = letters.match(/(.)\1*/gsu) ?? [];
  return runs
    .map((run) => {
      const [letter = ''] = run;
      return `${letter}(?:${gap}${letter}){${Array.from(run).length - 1},}`;
    })
    .join(gap);
}
