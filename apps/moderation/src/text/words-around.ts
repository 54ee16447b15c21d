/** What is disguised may belong to words before and behind it: a term has several, and others make it worse. */
const WORDS_AROUND = 6;

const BLANKS = /\s+/;
const EACH_BLANK = /\s+/g;

export interface Word {
  /** Whether there is something to read in another way. */
  isUnusual: boolean;
  /** A single letter: those in a row are one word, spelled out. */
  isSingle: boolean;
}

/** Which words stand near to an unusual one. Reading only those again keeps the price of a reading to what it may show. */
export function keepAround(words: readonly Word[]): boolean[] {
  const kept = new Array<boolean>(words.length).fill(false);
  if (!words.some(({ isUnusual }) => isUnusual)) return kept;
  const numbers = numberTogether(words);
  let last = Number.NaN;
  const mark = (index: number): void => {
    const number = numbers[index] ?? 0;
    if (words[index]?.isUnusual === true) last = number;
    if (Math.abs(number - last) <= WORDS_AROUND) kept[index] = true;
  };
  for (let index = 0; index < words.length; index++) mark(index);
  for (let index = words.length - 1; index >= 0; index--) mark(index);
  return kept;
}

/**
 * The words that can be read in another way, as they are then, with those around them; empty when there are none.
 * @param read null for a word that says nothing else
 */
export function rereadWords(text: string, read: (word: string) => string | null): string {
  const words = text.split(BLANKS).map((written) => {
    const other = read(written);
    return { text: other ?? written, isUnusual: other !== null, isSingle: written.length === 1 };
  });
  const kept = keepAround(words);
  return words
    .filter((_, index) => kept[index])
    .map((word) => word.text)
    .join(' ');
}

/** Stands where something is read in another way. It is no character: where a text holds one, a word more is read again. */
const MARK = '\uffff';

/**
 * The words in which something is replaced, with those around them; empty when nothing is. What a replaced part takes away
 * may be the space between two words.
 */
export function rereadReplaced(
  text: string,
  pattern: RegExp,
  replacement: (written: string, ...groups: string[]) => string,
): string {
  const marked = text.replace(pattern, (written: string, ...groups: string[]) => {
    const replaced = replacement(written, ...groups);
    return replaced === written ? written : MARK + replaced.replace(EACH_BLANK, `$&${MARK}`);
  });
  if (marked === text) return '';
  return rereadWords(marked, (word) => (word.includes(MARK) ? word.replaceAll(MARK, '') : null));
}

/** By word, its number; single letters in a row share one. */
function numberTogether(words: readonly Word[]): number[] {
  let number = 0;
  return words.map((word, index) => {
    if (index > 0 && !(word.isSingle && words[index - 1]?.isSingle === true)) number += 1;
    return number;
  });
}
