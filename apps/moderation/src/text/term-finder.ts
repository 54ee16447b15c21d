import type { FoldedText } from './folded-text';
import { GAP, type Part, type Reading, type Run, disguisedParts, toRuns } from './letter-runs';
import { PatternAutomaton } from './pattern-automaton';

import { type Spelling, disguisedSpellings, plainSpellings, toSpelling, wordsOf } from './term-spellings';

/** A place in a folded text at which a term stands, in whatever disguise. */
export interface Mention<Term> {
  term: Term;
  from: number;
  to: number;
}

export interface SearchedTerm {
  text: string;
  /** Whether it is also looked for backwards, upside down and so on; what excuses a text is not. */
  isDisguised: boolean;
}

/** Letters of one spelling in a row, before it is known whether they are a word. */
interface Fit<Term> extends Mention<Term> {
  first: number;
  last: number;
  startsWord: boolean;
  endsWord: boolean;
}

/** A term of fewer letters may come about by chance where one word ends and the next begins, as in `min or`. */
const MIN_LETTERS_TO_SPAN_WORDS = 6;
const MIN_LETTERS_FOR_PLURAL = 4;
const PLURAL_ENDINGS = new Set(['s', 'z', 'x'].map((letter) => letter.charCodeAt(0)));
const FIGURE = /[0-9]/;

/** Finds the terms of a lexicon in a text, in time that grows with the text and not with the lexicon. */
export class TermFinder<Term extends SearchedTerm> {
  private readonly automaton: PatternAutomaton;
  private readonly spellings: { spelling: Spelling; term: Term }[];
  private readonly shortWords: ReadonlySet<string>;
  private readonly hasFigures: boolean;

  /** @param shortWords words so short and common that two of them side by side are no disguise */
  constructor(terms: readonly Term[], shortWords: readonly string[]) {
    this.spellings = terms.flatMap((term) =>
      [...plainSpellings(term.text), ...(term.isDisguised ? disguisedSpellings(term.text) : [])]
        .filter(({ symbols }) => symbols.length > 0)
        .map((spelling) => ({ spelling, term })),
    );
    this.automaton = new PatternAutomaton(this.spellings.map(({ spelling }) => spelling.symbols));
    this.shortWords = new Set(shortWords.map((word) => String.fromCodePoint(...toSpelling(wordsOf(word)).symbols)));
    this.hasFigures = terms.some(({ text }) => FIGURE.test(wordsOf(text).join('')));
  }

  /** Each once, although several readings may show it. */
  find(text: FoldedText): Mention<Term>[] {
    const mentions = new Map<Term, Map<string, Mention<Term>>>();
    const add = (reading: Reading, parts: readonly Part[]): void => {
      for (const mention of this.findInRuns(toRuns(text, reading, parts))) {
        const places = mentions.get(mention.term) ?? new Map<string, Mention<Term>>();
        mentions.set(mention.term, places.set(`${mention.from} ${mention.to}`, mention));
      }
    };
    add({ figures: 'gaps', signs: 'gaps' }, [{ from: 0, to: text.codes.length }]);
    const parts = disguisedParts(text);
    if (parts.length > 0) for (const reading of this.otherReadings(text)) add(reading, parts);
    return [...mentions.values()].flatMap((places) => [...places.values()]);
  }

  /** Only those that differ for this text. */
  private otherReadings({ hasFigures }: FoldedText): Reading[] {
    const readings: Reading[] = [{ figures: 'gaps', signs: 'letters' }];
    if (hasFigures) readings.push({ figures: 'letters', signs: 'gaps' }, { figures: 'letters', signs: 'letters' });
    if (hasFigures && this.hasFigures) readings.push({ figures: 'figures', signs: 'gaps' });
    return readings;
  }

  private findInRuns(runs: readonly Run[]): Mention<Term>[] {
    const fits: Fit<Term>[] = [];
    this.automaton.scan(
      runs.map(({ symbol }) => symbol),
      (pattern, last) => {
        const fit = this.fitAt(runs, pattern, last);
        if (fit) fits.push(fit);
      },
    );
    return onlyWords(fits, runs);
  }

  private fitAt(runs: readonly Run[], pattern: number, last: number): Fit<Term> | null {
    const found = this.spellings[pattern];
    if (!found) return null;
    const { spelling, term } = found;
    const first = last - spelling.symbols.length + 1;
    const [head, tail] = [runs[first], runs[last]];
    if (!head || !tail) return null;
    // Where a word ends with the letter that begins the next, both lie in one run, and the term may have its part alone.
    const startsInside = first < last && head.innerGap > GAP.none && head.tailCount >= (spelling.counts[0] ?? 1);
    const endsInside = first < last && tail.innerGap > GAP.none && tail.headCount >= (spelling.counts.at(-1) ?? 1);
    const startsWord = spelling.isInsideWords || startsInside || head.gap > GAP.none;
    const endsWord = spelling.isInsideWords || spelling.isOpenEnded || endsInside || isEndOfWord(runs, last, spelling);
    if (!term.isDisguised && !(startsWord && endsWord)) return null;
    const letters = { runs, first, last, startsInside, endsInside };
    if (!isRepeatedEnough(letters, spelling) || !this.mayBeCutSo(letters, spelling)) return null;
    const from = startsInside ? head.to - head.tailCount : head.from;
    const to = endsInside ? tail.from + tail.headCount : tail.to;
    return { term, from, to, first, last, startsWord, endsWord };
  }

  /** Whether the spaces between the letters are a disguise, rather than the borders of other words. */
  private mayBeCutSo(letters: Letters, { spaceCount, letterCount }: Spelling): boolean {
    const { runs, first, last, startsInside, endsInside } = letters;
    let between = 0;
    let within = 0;
    for (let index = first; index <= last; index++) {
      const run = runs[index];
      if (index > first && run?.gap === GAP.space) between += 1;
      const isPart = (index === first && startsInside) || (index === last && endsInside);
      if (run?.innerGap === GAP.space && !isPart) within += 1;
    }
    if (between + within <= spaceCount) return true;
    if (letterCount >= MIN_LETTERS_TO_SPAN_WORDS || between === last - first) return true;
    return !piecesOf(runs.slice(first, last + 1)).every((piece) => this.shortWords.has(piece));
  }
}

/** The runs from the first to the last that a term would have. */
interface Letters {
  runs: readonly Run[];
  first: number;
  last: number;
  /** Whether only that part of the first or last run belongs to it that lies on its side of a gap. */
  startsInside: boolean;
  endsInside: boolean;
}

function isRepeatedEnough({ runs, first }: Letters, { counts }: Spelling): boolean {
  return counts.every((count, index) => count === 1 || (runs[first + index]?.count ?? 0) >= count);
}

function isEndOfWord(runs: readonly Run[], last: number, { letterCount }: Spelling): boolean {
  const next = runs[last + 1];
  if (!next || next.gap > GAP.none) return true;
  const isPlural = letterCount >= MIN_LETTERS_FOR_PLURAL && PLURAL_ENDINGS.has(next.symbol);
  return isPlural && ((runs[last + 2]?.gap ?? GAP.space) > GAP.none || next.innerGap > GAP.none);
}

function piecesOf(letters: readonly Run[]): string[] {
  const pieces: string[] = [];
  letters.forEach(({ symbol, gap }, index) => {
    const letter = String.fromCodePoint(symbol);
    if (index === 0 || gap === GAP.space) pieces.push(letter);
    else pieces[pieces.length - 1] = (pieces.at(-1) ?? '') + letter;
  });
  return pieces;
}

/** Whole words, and terms that together make up a whole word. The fits come ordered by their last run. */
function onlyWords<Term>(fits: readonly Fit<Term>[], runs: readonly Run[]): Mention<Term>[] {
  const mayStartAt = new Set<number>();
  const mayEndBefore = new Set<number>();
  const starts = ({ first, startsWord }: Fit<Term>): boolean => startsWord || mayStartAt.has(first);
  const ends = ({ last, endsWord: isEnd }: Fit<Term>): boolean => isEnd || mayEndBefore.has(last + 1);
  const isShared = (run: number): boolean => (runs[run]?.count ?? 1) > 1;
  for (const fit of fits) {
    if (!starts(fit)) continue;
    mayStartAt.add(fit.last + 1);
    if (isShared(fit.last)) mayStartAt.add(fit.last);
  }
  for (const fit of [...fits].reverse()) {
    if (!ends(fit)) continue;
    mayEndBefore.add(fit.first);
    if (isShared(fit.first)) mayEndBefore.add(fit.first + 1);
  }
  return fits.filter((fit) => starts(fit) && ends(fit));
}
