import type { FoldedText } from './folded-text';
import type { AgeKind } from './lexicon';
import type { Mention } from './term-finder';

const ADULT_YEARS = 18;
/** A space, a hyphen or a colon may stand between a number and its unit. */
const MAX_CHARS_BETWEEN = 4;
const MAX_NUMBER_CHARS = 12;
/** In the folded text that ends before a unit; a figure may be a letter that looks like it, and stand apart from the next. */
const FIGURES = /(?:^|[^\d.,])(\d+)(?:[.,]\d)?[^\p{L}\d]{0,4}$/u;
const LETTERS_AS_FIGURES = /(?:^|[^\p{L}\d])([ilo|]*\d[\dilo|]*|[\dilo|] [\dilo|])[^\p{L}\d]{0,4}$/u;
const FIGURES_BEHIND = /^[^\p{L}\d]{0,4}(\d+(?: \d(?!\d))?)/u;
const CHINESE = /([一ー二三四五六七八九十两兩]+)\s*$/u;
/** Folding takes the figure one for the long stroke. */
const CHINESE_FIGURES = '零ー二三四五六七八九';
const ONLY_SIGNS = /^[^\p{L}\p{N}]*$/u;

/** What the lexicon knows of ages, as it was found in a text. */
export interface AgeTerm {
  kind: string;
}

/** The places at which a text gives an age under eighteen. */
export function findMinorAges<Term extends AgeTerm>(
  { codes }: FoldedText,
  mentions: readonly Mention<Term>[],
): Mention<Term>[] {
  const slice = (from: number, to: number): string => String.fromCodePoint(...codes.subarray(Math.max(0, from), to));
  const ending = indexBy(mentions, ({ to }) => to);
  const beginning = indexBy(mentions, ({ from }) => from);

  const before = (kind: AgeKind, at: number): Mention<Term> | undefined =>
    nearest(
      (distance) => ending.get(at - distance),
      kind,
      (to) => slice(to.to, at),
    );
  const behind = (kind: AgeKind, at: number): Mention<Term> | undefined =>
    nearest(
      (distance) => beginning.get(at + distance),
      kind,
      (from) => slice(at, from.from),
    );

  const hasSmallNumberBefore = ({ from }: Mention<Term>): boolean => {
    if (yearsIn(slice(from - MAX_NUMBER_CHARS, from)).some((years) => years > 0 && years < ADULT_YEARS)) return true;
    const word = before('numbers', from);
    return word !== undefined && before('tens', word.from) === undefined;
  };
  const hasNumberBefore = ({ from }: Mention<Term>): boolean =>
    yearsIn(slice(from - MAX_NUMBER_CHARS, from)).length > 0 || before('numbers', from) !== undefined;
  const hasNumberBehind = ({ to }: Mention<Term>, limit: number): boolean => {
    const figures = FIGURES_BEHIND.exec(slice(to, to + MAX_NUMBER_CHARS))?.[1];
    return figures === undefined ? behind('numbers', to) !== undefined : Number(figures.replace(' ', '')) < limit;
  };
  const isOfThing = ({ to }: Mention<Term>): boolean => behind('things', to) !== undefined;

  return mentions.filter((mention) => {
    switch (mention.term.kind) {
      case 'after_number':
        return hasSmallNumberBefore(mention) && !isOfThing(mention);
      case 'small_after_number':
        return hasNumberBefore(mention) && !isOfThing(mention);
      case 'before_number':
        return hasNumberBehind(mention, ADULT_YEARS);
      case 'limits':
        return hasNumberBehind(mention, ADULT_YEARS + 1);
      default:
        return false;
    }
  });
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

/** The nearest mention of a kind with nothing but signs between. */
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

/** All that the number may be with which a text ends, in figures, letters like figures, or Chinese figures. */
function yearsIn(text: string): number[] {
  const figures = FIGURES.exec(text)?.[1];
  const letters = LETTERS_AS_FIGURES.exec(text)?.[1];
  const chinese = CHINESE.exec(text)?.[1];
  return [
    ...(figures === undefined ? [] : [Number(figures)]),
    ...(letters === undefined ? [] : [Number(letters.replace(/[il|]/g, '1').replaceAll('o', '0').replace(' ', ''))]),
    ...(chinese === undefined ? [] : [chineseNumber(chinese)]),
  ];
}

function chineseNumber(written: string): number {
  const plain = written.replace(/[两兩]/g, '二').replaceAll('一', 'ー');
  const figureOf = (character: string): number => CHINESE_FIGURES.indexOf(character);
  if (!plain.includes('十')) return Number(Array.from(plain, figureOf).join(''));
  const [tens = '', ones = ''] = plain.split('十');
  return (tens === '' ? 1 : figureOf(tens)) * 10 + (ones === '' ? 0 : figureOf(ones));
}
