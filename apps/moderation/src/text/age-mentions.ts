import { type FoldedText, KIND } from './folded-text';
import type { AgeKind } from './lexicon';
import type { Mention } from './term-finder';

/**
 * Matches the end of the folded text before a unit. A figure may be a letter that looks like it, and may be separated from the
 * next.
 */
const FIGURES = /(?:^|[^\d.,])(\d+)(?:[.,]\d)?[^\p{L}\d]{0,4}$/u;
const LETTERS_AS_FIGURES = /(?:^|[^\p{L}\d])([ilo|]*\d[\dilo|]*|[\dilo|] [\dilo|])[^\p{L}\d]{0,4}$/u;
const ROMAN = /(?:^|[^\p{L}\d])(x?(?:ix|iv|v?i{0,3}))[^\p{L}\d]{0,4}$/u;
const CHINESE = /([一ー二三四五六七八九十壹贰貳叁參肆伍陆陸柒捌玖拾两兩]+)\s*$/u;
/** Matches the start of the folded text after a word. */
const FIGURES_BEHIND = /^[^\p{L}\d]{0,4}(\d+(?: \d(?!\d))?)/u;
const ROMAN_BEHIND = /^[^\p{L}\d]{0,4}(x?(?:ix|iv|v?i{0,3}))(?![\p{L}\d])/u;
/** Excludes measures and counts: `12 feet tall` or `one of 12` is no age. */
const BARE_FIGURES_BEHIND =
  /^[^\p{L}\d]{0,3}(\d{1,2})(?![\d'"°%]|[.,:/-]\d|\s?(?:feet|foot|ft|in|inch|inches|cm|mm|m|km|kg|lb|lbs|miles?|percent|degrees?|deg|of|out|x|px|hours?|minutes?|weeks? pregnant|times|st|nd|rd|th|am|pm)(?![\p{L}]))/u;
const YEAR_BEHIND = /(?<!\d)(20\d\d)(?!\d)/;
const YEAR_BEFORE = /(?<!\d)(20\d\d)[^\p{L}\d]{0,2}$/u;

/** Folding replaces the Chinese figure one by the long stroke. */
const CHINESE_FIGURES = '零ー二三四五六七八九';
const FORMAL_FIGURES: Readonly<Record<string, string>> = {
  壹: 'ー',
  一: 'ー',
  贰: '二',
  貳: '二',
  两: '二',
  兩: '二',
  叁: '三',
  參: '三',
  肆: '四',
  伍: '五',
  陆: '六',
  陸: '六',
  柒: '七',
  捌: '八',
  玖: '九',
  拾: '十',
};
const ROMAN_VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 };
/** A single letter is a letter, not a Roman number. */
const MIN_ROMAN_LETTERS = 2;

/** All readings of the number at the end of a text: in figures, letters that look like figures, Roman or Chinese figures. */
function numbersAtEnd(text: string): number[] {
  const figures = FIGURES.exec(text)?.[1];
  const letters = LETTERS_AS_FIGURES.exec(text)?.[1];
  const chinese = CHINESE.exec(text)?.[1];
  return [
    ...(figures === undefined ? [] : [Number(figures)]),
    ...(letters === undefined ? [] : [Number(letters.replace(/[il|]/g, '1').replaceAll('o', '0').replace(' ', ''))]),
    ...romanIn(ROMAN.exec(text)?.[1]),
    ...(chinese === undefined ? [] : [chineseNumber(chinese)]),
  ];
}

/** The number at the start of a text, or undefined. */
function numberAtStart(text: string): number | undefined {
  const figures = FIGURES_BEHIND.exec(text)?.[1];
  return figures === undefined ? romanIn(ROMAN_BEHIND.exec(text)?.[1])[0] : Number(figures.replace(' ', ''));
}

/** Like `numberAtStart`, for a number without a unit or a count. */
function bareNumberAtStart(text: string): number | undefined {
  const figures = BARE_FIGURES_BEHIND.exec(text)?.[1];
  return figures === undefined ? undefined : Number(figures);
}

function yearIn(text: string): number | undefined {
  const year = YEAR_BEHIND.exec(text)?.[1];
  return year === undefined ? undefined : Number(year);
}

function yearAtEnd(text: string): number | undefined {
  const year = YEAR_BEFORE.exec(text)?.[1];
  return year === undefined ? undefined : Number(year);
}

function romanIn(written = ''): number[] {
  if (written.length < MIN_ROMAN_LETTERS) return [];
  const values = Array.from(written, (letter) => ROMAN_VALUES[letter] ?? 0);
  return [values.reduce((sum, value, at) => (value < (values[at + 1] ?? 0) ? sum - value : sum + value), 0)];
}

function chineseNumber(written: string): number {
  const plain = Array.from(written, (figure) => FORMAL_FIGURES[figure] ?? figure).join('');
  const figureOf = (character: string): number => CHINESE_FIGURES.indexOf(character);
  if (!plain.includes('十')) return Number(Array.from(plain, figureOf).join(''));
  const [tens = '', ones = ''] = plain.split('十');
  return (tens === '' ? 1 : figureOf(tens)) * 10 + (ones === '' ? 0 : figureOf(ones));
}

const ADULT_YEARS = 18;
/** A space, a hyphen or a colon may stand between a number and its unit. */
const MAX_CHARS_BETWEEN = 4;
const MAX_NUMBER_CHARS = 12;
/** A day and a month may stand before the year. */
const MAX_DATE_CHARS = 20;
const ONLY_SIGNS = /^[^\p{L}\p{N}]*$/u;

interface AgeTerm {
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
