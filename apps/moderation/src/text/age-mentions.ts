import { bareNumberAtStart, numberAtStart, numbersAtEnd, yearAtEnd, yearIn } from './age-numbers';
import { type FoldedText, KIND } from './folded-text';
import type { AgeKind } from './lexicon';
import type { Mention } from './term-finder';

const ADULT_YEARS = 18;
/** A space, a hyphen or a colon may stand between a number and its unit. */
const MAX_CHARS_BETWEEN = 4;
const MAX_NUMBER_CHARS = 12;
/** A day and a month may stand before the year. */
const MAX_DATE_CHARS = 20;
const ONLY_SIGNS = /^[^\p{L}\p{N}]*$/u;

/** An age term of the lexicon, and where the text has it. */
export interface AgeTerm {
  kind: string;
}

/** The positions at which a text states an age under eighteen, or a year of birth that results in one. */
export function findMinorAges<Term extends AgeTerm>(
  text: FoldedText,
  mentions: readonly Mention<Term>[],
  thisYear: number,
): Mention<Term>[] {
  const around = new Surroundings(text, mentions);
  const isMinorsYear = (year: number | undefined): boolean =>
    year !== undefined && year >= thisYear - ADULT_YEARS && year <= thisYear;
  return mentions.filter((mention) => {
    switch (mention.term.kind) {
      case 'after_number':
        return around.hasSmallNumberBefore(mention) && !around.isOfThing(mention);
      case 'small_after_number':
        return around.hasNumberBefore(mention) && !around.isOfThing(mention);
      case 'after_ordinal':
        return around.hasSmallWordBefore('ordinals', mention);
      case 'before_number':
        return around.hasNumberBehind(mention, ADULT_YEARS);
      case 'before_bare_number':
        return around.hasBareNumberBehind(mention);
      case 'limits':
        return around.hasNumberBehind(mention, ADULT_YEARS + 1) || around.wordBehind('eighteen', mention) !== undefined;
      case 'before_year':
        return isMinorsYear(yearIn(around.textBehind(mention, MAX_DATE_CHARS)));
      case 'after_year':
        return isMinorsYear(yearAtEnd(around.textBefore(mention)));
      case 'whole':
        return !around.isOfThing(mention);
      default:
        return false;
    }
  });
}

/** The words before and after a number that make it an age. */
class Surroundings<Term extends AgeTerm> {
  private readonly codes: Uint32Array;
  private readonly kinds: Uint8Array;
  private readonly ending: Map<number, Mention<Term>[]>;
  private readonly beginning: Map<number, Mention<Term>[]>;

  constructor({ codes, kinds }: FoldedText, mentions: readonly Mention<Term>[]) {
    this.codes = codes;
    this.kinds = kinds;
    this.ending = indexBy(mentions, ({ to }) => to);
    this.beginning = indexBy(mentions, ({ from }) => from);
  }

  textBefore({ from }: Mention<Term>): string {
    return this.slice(from - MAX_NUMBER_CHARS, from);
  }

  textBehind({ to }: Mention<Term>, chars: number): string {
    return this.slice(to, to + chars);
  }

  hasSmallNumberBefore(mention: Mention<Term>): boolean {
    const numbers = numbersAtEnd(this.textBefore(mention));
    return numbers.some(isUnderAge) || this.hasSmallWordBefore('numbers', mention);
  }

  hasSmallWordBefore(kind: AgeKind, mention: Mention<Term>): boolean {
    const word = this.wordBefore(kind, mention);
    return word !== undefined && this.wordBefore('tens', word) === undefined;
  }

  hasNumberBefore(mention: Mention<Term>): boolean {
    return numbersAtEnd(this.textBefore(mention)).length > 0 || this.wordBefore('numbers', mention) !== undefined;
  }

  hasNumberBehind(mention: Mention<Term>, limit: number): boolean {
    const number = numberAtStart(this.textBehind(mention, MAX_NUMBER_CHARS));
    return number === undefined ? this.wordBehind('numbers', mention) !== undefined : number < limit;
  }

  hasBareNumberBehind(mention: Mention<Term>): boolean {
    return isUnderAge(bareNumberAtStart(this.textBehind(mention, MAX_DATE_CHARS)) ?? 0);
  }

  isOfThing(mention: Mention<Term>): boolean {
    return this.wordBehind('things', { ...mention, to: this.endOfWord(mention.to) }) !== undefined;
  }

  wordBehind(kind: AgeKind, { to }: Mention<Term>): Mention<Term> | undefined {
    return nearest(
      (distance) => this.beginning.get(to + distance),
      kind,
      ({ from }) => this.slice(to, from),
    );
  }

  /** An inflection ending may follow a term. */
  private endOfWord(at: number): number {
    let end = at;
    while (this.kinds[end] === KIND.letter) end += 1;
    return end;
  }

  private wordBefore(kind: AgeKind, { from }: Mention<Term>): Mention<Term> | undefined {
    return nearest(
      (distance) => this.ending.get(from - distance),
      kind,
      ({ to }) => this.slice(to, from),
    );
  }

  private slice(from: number, to: number): string {
    return String.fromCodePoint(...this.codes.subarray(Math.max(0, from), to));
  }
}

function isUnderAge(years: number): boolean {
  return years > 0 && years < ADULT_YEARS;
}

function indexBy<Term>(
  mentions: readonly Mention<Term>[],
  keyOf: (mention: Mention<Term>) => number,
): Map<number, Mention<Term>[]> {
  const index = new Map<number, Mention<Term>[]>();
  for (const mention of mentions) {
    const sharing = index.get(keyOf(mention));
    if (sharing) sharing.push(mention);
    else index.set(keyOf(mention), [mention]);
  }
  return index;
}

/** The nearest mention of a kind with only signs between. */
function nearest<Term extends AgeTerm>(
  at: (distance: number) => readonly Mention<Term>[] | undefined,
  kind: AgeKind,
  textBetween: (mention: Mention<Term>) => string,
): Mention<Term> | undefined {
  for (let distance = 0; distance <= MAX_CHARS_BETWEEN; distance++) {
    const found = at(distance)?.find(({ term }) => term.kind === kind);
    if (found) return ONLY_SIGNS.test(textBetween(found)) ? found : undefined;
  }
  return undefined;
}
