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
export function numbersAtEnd(text: string): number[] {
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
export function numberAtStart(text: string): number | undefined {
  const figures = FIGURES_BEHIND.exec(text)?.[1];
  return figures === undefined ? romanIn(ROMAN_BEHIND.exec(text)?.[1])[0] : Number(figures.replace(' ', ''));
}

/** Like `numberAtStart`, for a number without a unit or a count. */
export function bareNumberAtStart(text: string): number | undefined {
  const figures = BARE_FIGURES_BEHIND.exec(text)?.[1];
  return figures === undefined ? undefined : Number(figures);
}

export function yearIn(text: string): number | undefined {
  const year = YEAR_BEHIND.exec(text)?.[1];
  return year === undefined ? undefined : Number(year);
}

export function yearAtEnd(text: string): number | undefined {
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
