import { type DisguisedPart, disguisedParts } from './disguised-parts';
import type { FoldedText } from './folded-text';
import { GAP, LetterRuns, Reading } from './letter-runs';
import { PatternAutomaton } from './pattern-automaton';
import { type Spelling, spellingsOf, toSpelling, wordsOf } from './term-spellings';

/** A position in a folded text that contains a term, in any disguise. */
export interface Mention<Term> {
  term: Term;
  from: number;
  to: number;
}

export interface SearchedTerm {
  text: string;
  /** Whether the term is also searched backwards, upside down and so on; excusing terms are not. */
  isDisguised: boolean;
  /** Whether it may be a part of a word whose other parts are terms. */
  isJoined: boolean;
}

/** Consecutive letters of one spelling, before the check that they are a word. */
interface Fit<Term> extends Mention<Term> {
  first: number;
  last: number;
  startsWord: boolean;
  endsWord: boolean;
}

/** Shorter terms occur by chance across the boundary of two words, as in `min or`. */
const MIN_LETTERS_TO_SPAN_WORDS = 6;
/** Two letters between figures, or between small letters and capitals, occur by chance in many ids. */
const MIN_LETTERS_BETWEEN_EDGES = 3;
const MIN_LETTERS_FOR_PLURAL = 4;
const PLURAL_ENDINGS = new Set(['s', 'z', 'x']);
/** A shorter term with an ending is often another word. */
const MIN_LETTERS_FOR_ENDING = 7;
const ENDINGS = new Set(
  ['es', 'ed', 'er', 'ers', 'ing', 'ish', 'like', 'ness', 'y', 'ies'].map((ending) =>
    String.fromCodePoint(...toSpelling([ending]).symbols),
  ),
);
const MAX_ENDING_RUNS = 3;
const FIGURE = /[0-9]/;

/** Local constants for speed, because they are tested at every letter of every match. */
const { none: NO_GAP, edge: EDGE, figure: FIGURE_GAP, sign: SIGN, space: SPACE } = GAP;

const FIRST_READING = new Reading('gaps', 'gaps');
const FIGURES_AS_THEY_ARE = new Reading('figures', 'gaps');
/** Each reading, with the parts of a text in which it differs from all others. */
const OTHER_READINGS: readonly (readonly [reading: Reading, shows: (part: DisguisedPart) => boolean])[] = [
  [new Reading('gaps', 'letters'), ({ hasSigns }) => hasSigns],
  [new Reading('letters', 'gaps'), ({ hasFigures }) => hasFigures],
  [new Reading('letters', 'letters'), ({ hasSigns, hasFigures }) => hasSigns && hasFigures],
];

/** Finds the terms of a lexicon in a text, in time that grows with the text and not with the lexicon. */
export class TermFinder<Term extends SearchedTerm> {
  private readonly automaton: PatternAutomaton;
  private readonly spellings: { spelling: Spelling; term: Term }[];
  private readonly shortWords: ReadonlySet<string>;
  private readonly otherReadings: typeof OTHER_READINGS;
  private readonly runs = new LetterRuns();

  /** @param shortWords words so short and common that two of them side by side are no disguise */
  constructor(terms: readonly Term[], shortWords: readonly string[]) {
    this.spellings = terms.flatMap((term) =>
      spellingsOf(term.text, term.isDisguised)
        .filter(({ symbols }) => symbols.length > 0)
        .map((spelling) => ({ spelling, term })),
    );
    this.automaton = new PatternAutomaton(this.spellings.map(({ spelling }) => spelling.symbols));
    this.shortWords = new Set(shortWords.map((word) => String.fromCodePoint(...toSpelling(wordsOf(word)).symbols)));
    const hasFigures = terms.some(({ text }) => FIGURE.test(wordsOf(text).join('')));
    this.otherReadings = hasFigures
      ? [...OTHER_READINGS, [FIGURES_AS_THEY_ARE, (part) => part.hasFigures]]
      : OTHER_READINGS;
  }

  /** Several readings may find the same mention. */
  find(text: FoldedText): Mention<Term>[] {
    const { runs } = this;
    runs.read(FIRST_READING, text, [{ from: 0, to: text.codes.length }]);
    const mentions = this.findInRuns(runs);
    const parts = disguisedParts(text);
    if (parts.length === 0) return mentions;
    for (const [reading, shows] of this.otherReadings) {
      const shown = parts.filter(shows);
      if (shown.length === 0) continue;
      runs.read(reading, text, shown);
      mentions.push(...this.findInRuns(runs));
    }
    return mentions;
  }

  private findInRuns(runs: LetterRuns): Mention<Term>[] {
    const fits: Fit<Term>[] = [];
    this.automaton.scan(runs.symbols, runs.length, (pattern, last) => {
      const fit = this.fitAt(runs, pattern, last);
      if (fit) fits.push(fit);
    });
    return onlyWords(fits, runs);
  }

  private fitAt(runs: LetterRuns, pattern: number, last: number): Fit<Term> | null {
    const found = this.spellings[pattern];
    if (!found) return null;
    const { spelling, term } = found;
    const first = last - spelling.symbols.length + 1;
    const ownLetters = countOwnLetters(runs, first, last);
    const gap = greatestGap(runs, first, last);
    if (!isWord(ownLetters, last - first + 1, gap, spelling)) return null;
    const border = leastBorder(ownLetters, last - first + 1, gap, spelling);
    // Where a word ends with the letter that begins the next, both share one run, and the term may use only its part of it.
    const isLong = first < last;
    const startsInside =
      isLong && runs.innerGapAt(first) >= border && runs.tailCountAt(first) >= (spelling.counts[0] ?? 1);
    const endsInside =
      isLong && runs.innerGapAt(last) >= border && runs.headCountAt(last) >= (spelling.counts.at(-1) ?? 1);
    const startsWord = spelling.isInsideWords || startsInside || runs.gapAt(first) >= border;
    const endsWord =
      spelling.isInsideWords || spelling.isOpenEnded || endsInside || isEndOfWord(runs, last, border, spelling);
    if (!term.isDisguised && !term.isJoined && !(startsWord && endsWord)) return null;
    const letters = { runs, first, last, startsInside, endsInside };
    if (!isRepeatedEnough(letters, spelling) || !this.mayBeCutSo(letters, spelling)) return null;
    const from = startsInside ? runs.toAt(first) - runs.tailCountAt(first) : runs.fromAt(first);
    const to = endsInside ? runs.fromAt(last) + runs.headCountAt(last) : runs.toAt(last);
    return { term, from, to, first, last, startsWord, endsWord };
  }

  /** Whether the spaces between the letters are a disguise, rather than the boundaries of other words. */
  private mayBeCutSo({ runs, first, last, startsInside, endsInside }: Letters, spelling: Spelling): boolean {
    let between = 0;
    let within = 0;
    for (let run = first; run <= last; run++) {
      if (run > first && runs.gapAt(run) === SPACE) between += 1;
      const isPart = (run === first && startsInside) || (run === last && endsInside);
      if (runs.innerGapAt(run) === SPACE && !isPart) within += 1;
    }
    if (between + within <= spelling.spaceCount) return true;
    if (spelling.letterCount >= MIN_LETTERS_TO_SPAN_WORDS || between === last - first) return true;
    return !piecesOf(runs, first, last).every((piece) => this.shortWords.has(piece));
  }
}

/** The runs from the first to the last letter of a term. */
interface Letters {
  runs: LetterRuns;
  first: number;
  last: number;
  /** Whether only the part of the first or last run on the term's side of a gap belongs to it. */
  startsInside: boolean;
  endsInside: boolean;
}

function isRepeatedEnough({ runs, first }: Letters, { counts }: Spelling): boolean {
  return counts.every((count, index) => count === 1 || runs.countAt(first + index) >= count);
}

/** The number of letters that are written as letters, rather than with figures and signs that are read as such. */
function countOwnLetters(runs: LetterRuns, first: number, last: number): number {
  let own = 0;
  for (let run = first; run <= last; run++) if (runs.isOwnLetterAt(run)) own += 1;
  return own;
}

/** The strongest gap between two of the letters. */
function greatestGap(runs: LetterRuns, first: number, last: number): number {
  let gap: number = NO_GAP;
  for (let run = first + 1; run <= last; run++) gap = Math.max(gap, runs.gapAt(run));
  return gap;
}

/** Text without letters is a number, a time or a price. Few letters make a word only without gaps and outside ciphers. */
function isWord(ownLetters: number, runCount: number, gap: number, { isCipher, letterCount }: Spelling): boolean {
  if (2 * ownLetters > runCount) return true;
  return ownLetters > 0 && !isCipher && (gap <= EDGE || letterCount >= MIN_LETTERS_TO_SPAN_WORDS);
}

/** Ids and sizes alternate figures and letters. In such text, and for short terms, those changes are no word boundaries. */
function leastBorder(ownLetters: number, runCount: number, gap: number, { letterCount }: Spelling): number {
  const isLikeId = gap === FIGURE_GAP || 2 * ownLetters < runCount || letterCount < MIN_LETTERS_BETWEEN_EDGES;
  return isLikeId ? SIGN : EDGE;
}

function isEndOfWord(runs: LetterRuns, last: number, border: number, { letterCount }: Spelling): boolean {
  let ending = '';
  for (let run = last + 1; run <= last + 1 + MAX_ENDING_RUNS; run++) {
    if (runs.gapAt(run) >= border) return ending === '' || isEnding(ending, letterCount);
    ending += String.fromCodePoint(runs.symbolAt(run));
    // The next word begins with the letter that ends this one.
    if (runs.innerGapAt(run) >= border) return isEnding(ending, letterCount);
  }
  return false;
}

function isEnding(ending: string, letterCount: number): boolean {
  if (letterCount >= MIN_LETTERS_FOR_PLURAL && PLURAL_ENDINGS.has(ending)) return true;
  return letterCount >= MIN_LETTERS_FOR_ENDING && ENDINGS.has(ending);
}

function piecesOf(runs: LetterRuns, first: number, last: number): string[] {
  const pieces: string[] = [];
  for (let run = first; run <= last; run++) {
    const letter = String.fromCodePoint(runs.symbolAt(run));
    if (run === first || runs.gapAt(run) === SPACE) pieces.push(letter);
    else pieces[pieces.length - 1] = (pieces.at(-1) ?? '') + letter;
  }
  return pieces;
}

/** Keeps whole words, and terms that together form a whole word. The fits are ordered by their last run. */
function onlyWords<Term>(fits: readonly Fit<Term>[], runs: LetterRuns): Mention<Term>[] {
  const mayStartAt = new Set<number>();
  const mayEndBefore = new Set<number>();
  const starts = ({ first, startsWord }: Fit<Term>): boolean => startsWord || mayStartAt.has(first);
  const ends = ({ last, endsWord: isEnd }: Fit<Term>): boolean => isEnd || mayEndBefore.has(last + 1);
  for (const fit of fits) {
    if (!starts(fit)) continue;
    mayStartAt.add(fit.last + 1);
    if (runs.countAt(fit.last) > 1) mayStartAt.add(fit.last);
  }
  for (const fit of fits.toReversed()) {
    if (!ends(fit)) continue;
    mayEndBefore.add(fit.first);
    if (runs.countAt(fit.first) > 1) mayEndBefore.add(fit.first + 1);
  }
  return fits.filter((fit) => starts(fit) && ends(fit));
}
