/** Words before and after a disguised one that are read with it: a term can have several words, and neighbouring terms matter. */
const WORDS_AROUND = 6;

const BLANKS = /\s+/;
const EACH_BLANK = /\s+/g;

export interface Word {
  /** Whether the word can be read in another way. */
  isUnusual: boolean;
  /** A single letter: consecutive ones are one word, spelled out. */
  isSingle: boolean;
}

/** Which words are near an unusual one. Only those are read again, which limits the cost of a reading. */
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
 * The words that can be read in another way, in that reading, with the words around them; empty when there are none.
 * @param read returns null for a word without another reading
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

/** Placeholder for a replaced part. It is a noncharacter: in a text that contains one, one more word is read again. */
const MARK = '\uffff';

/**
 * The words in which `read` replaces something, with the words around them; empty when nothing is replaced. A replaced part
 * may include the space between two words.
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

/** The number of each word; consecutive single letters share one. */
function numberTogether(words: readonly Word[]): number[] {
  let number = 0;
  return words.map((word, index) => {
    if (index > 0 && !(word.isSingle && words[index - 1]?.isSingle === true)) number += 1;
    return number;
  });
}
