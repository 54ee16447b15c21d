import type { FoldedText } from './folded-text';
import { MAX_WORD_LETTERS, MIN_LETTERS_TO_CHANGE_ONE, normalizeWord, writtenForms, wrongForms } from './word-forms';
import { keepAround } from './words-around';

/** Marks where a part of a word begins; no folded text holds it. */
const HUMP = '\u0000';
const BORDERS = /[\0_\-.,;:#/\\|+=~'"()[\]{}]+/;
const PUNCTUATION_AROUND = /^[\s"'“”‘’«»„.,;:!?()[\]{}…、。，-]+|[\s"'“”‘’«»„.,;:!?()[\]{}…、。，-]+$/gu;
const MIN_LETTERS = 3;
const MIN_SINGLE_LETTERS_IN_A_ROW = 3;
/** One changed letter leaves either the beginning of a long word or its end as it was. */
const UNCHANGED_LETTERS = 3;

/** Knows the words of a lexicon when letters of them are hidden by signs, left out, exchanged or written as they sound. */
export class MisspelledWords {
  private readonly words = new Map<string, string>();
  private readonly ends = new Set<string>();

  constructor(words: Iterable<string>) {
    for (const word of words) {
      const normal = normalizeWord(word);
      for (const form of wrongForms(word)) if (!this.words.has(form)) this.words.set(form, word);
      if (normal.length < MIN_LETTERS_TO_CHANGE_ONE) continue;
      this.ends.add(normal.slice(0, UNCHANGED_LETTERS)).add(normal.slice(-UNCHANGED_LETTERS));
    }
  }

  /** The words around such ones, and those as they are meant; null when there are none. */
  repair(text: FoldedText): string | null {
    const meant = new Map<string, string | null>();
    const written = wordsIn(text);
    for (const word of written) if (!meant.has(word)) meant.set(word, this.repairWord(word));
    const kept = keepAround(
      written.map((word) => ({ isUnusual: (meant.get(word) ?? null) !== null, isSingle: word.length === 1 })),
    );
    const repaired = written.map((word) => meant.get(word) ?? word).filter((_, index) => kept[index]);
    return repaired.length === 0 ? null : repaired.join(' ');
  }

  /** The word as a whole, or what signs or capitals divide in it. */
  private repairWord(written: string): string | null {
    const whole = this.find(written.replaceAll(HUMP, ''));
    if (whole !== undefined) return whole;
    const parts = written.split(BORDERS);
    if (parts.length === 1) return null;
    const words = parts.map((part) => this.find(part));
    return words.every((word) => word === undefined) ? null : parts.map((part, at) => words[at] ?? part).join(' ');
  }

  private find(written: string): string | undefined {
    if (written.length < MIN_LETTERS || written.length > 2 * MAX_WORD_LETTERS) return undefined;
    const word = this.findTrimmed(written.replace(PUNCTUATION_AROUND, ''));
    // A question mark ends a sentence, or hides the last letter.
    return word === undefined && written.endsWith('?') ? this.findTrimmed(written) : word;
  }

  private findTrimmed(written: string): string | undefined {
    const forms = writtenForms(normalizeWord(written), (letters) => this.mayBeChanged(letters));
    return forms.map((form) => this.words.get(form)).find((word) => word !== undefined);
  }

  private mayBeChanged(letters: string): boolean {
    return this.ends.has(letters.slice(0, UNCHANGED_LETTERS)) || this.ends.has(letters.slice(-UNCHANGED_LETTERS));
  }
}

/** At spaces; single letters in a row are one word, spelled out. */
function wordsIn({ codes, humps }: FoldedText): string[] {
  let text = '';
  codes.forEach((code, at) => (text += (humps[at] === true ? HUMP : '') + String.fromCodePoint(code)));
  const words: string[] = [];
  let single: string[] = [];
  const endSpelling = (): void => {
    if (single.length >= MIN_SINGLE_LETTERS_IN_A_ROW) words.push(single.join(''));
    else words.push(...single);
    single = [];
  };
  for (const word of text.split(' ')) {
    if (word === '') continue;
    if (word.length <= 2 && Array.from(word).length === 1) single.push(word);
    else {
      endSpelling();
      words.push(word);
    }
  }
  endSpelling();
  return words;
}
