/** What is disguised may belong to words before and behind it: a term has several, and others make it worse. */
const WORDS_AROUND = 6;

export interface Word {
  /** Whether there is something to read in another way. */
  isUnusual: boolean;
  /** A single letter: those in a row are one word, spelled out. */
  isSingle: boolean;
}

/** Which words stand near to an unusual one. Reading only those again keeps the price of a reading to what it may show. */
export function keepAround(words: readonly Word[]): boolean[] {
  const numbers = numberTogether(words);
  const kept = new Array<boolean>(words.length).fill(false);
  const mark = (indexes: Iterable<number>): void => {
    let last = Number.NaN;
    for (const index of indexes) {
      const number = numbers[index] ?? 0;
      if (words[index]?.isUnusual === true) last = number;
      if (Math.abs(number - last) <= WORDS_AROUND) kept[index] = true;
    }
  };
  mark(words.keys());
  mark([...words.keys()].reverse());
  return kept;
}

/** By word, its number; single letters in a row share one. */
function numberTogether(words: readonly Word[]): number[] {
  let number = 0;
  return words.map((word, index) => {
    if (index > 0 && !(word.isSingle && words[index - 1]?.isSingle === true)) number += 1;
    return number;
  });
}
