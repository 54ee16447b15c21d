import { type FoldedText, SPACE } from './folded-text';
import {
  MAX_WORD_LETTERS,
  MIN_LETTERS_TO_INSERT_ONE,
  isPlain,
  normalizeWord,
  writtenForms,
  wrongForms,
} from './word-forms';
import { keepAround } from './words-around';

/** Marks the start of a part of a word; no folded text contains this character. */
const HUMP = '\u0000';
const BORDERS = /[\0_\-.,;:#/\\|+=~'"()[\]{}]+/;
const PUNCTUATION_AROUND = /^[\s"'“”‘’«»„.,;:!?()[\]{}…、。，-]+|[\s"'“”‘’«»„.,;:!?()[\]{}…、。，-]+$/gu;
const MIN_LETTERS = 3;
const HAS_LETTERS = /[\p{L}\p{M}].*[\p{L}\p{M}]/su;
const MIN_SINGLE_LETTERS_IN_A_ROW = 3;
/** One changed letter leaves either the start of a long word or its end unchanged. */
const UNCHANGED_LETTERS = 3;
const BEGINNINGS = 2 ** 16;
/** Size of the cache: most prompts use the same few thousand words. */
const MAX_KNOWN_WORDS = 20_000;
/** Longer words are rarely repeated, except disguised ones, which repeat in each reading of their text. */
const MAX_KNOWN_CHARS = 40;

/** Recognises words of the lexicon whose letters are hidden by signs, left out, exchanged or spelled by sound. */
export class MisspelledWords {
  private readonly words = new Map<string, string>();
  /** Indexed by the first three letters: whether any form begins with them. Most words then need no lookup. */
  private readonly beginnings = new Uint8Array(BEGINNINGS);
  private readonly ends = new Set<string>();
  /** Cache of recent results. */
  private readonly found = new Map<string, string | null>();

  /** @param others words that are never corrected, however similar to a word of the lexicon */
  constructor(
    words: Iterable<string>,
    private readonly others: ReadonlySet<string>,
  ) {
    for (const word of words) {
      const normal = normalizeWord(word);
      for (const form of wrongForms(word)) {
        this.beginnings[beginningOf(form)] = 1;
        if (!this.words.has(form)) this.words.set(form, word);
      }
      if (normal.length < MIN_LETTERS_TO_INSERT_ONE) continue;
      this.ends.add(normal.slice(0, UNCHANGED_LETTERS)).add(normal.slice(-UNCHANGED_LETTERS));
    }
  }

  /** For each text, the unusual words corrected, with the words around them; nothing for a text without any. */
  repair(texts: readonly FoldedText[]): string[] {
    return texts.map((text) => this.repairText(text)).filter((text) => text !== '');
  }

  private repairText(text: FoldedText): string {
    const words = wordsIn(text).map((written) => {
      const word = this.meantBy(written);
      return { text: word ?? written, isUnusual: word !== null, isSingle: written.length === 1 };
    });
    if (!words.some(({ isUnusual }) => isUnusual)) return '';
    const kept = keepAround(words);
    return words
      .filter((_, index) => kept[index])
      .map((word) => word.text)
      .join(' ');
  }

  private meantBy(written: string): string | null {
    const known = this.found.get(written);
    if (known !== undefined) return known;
    // Numbers are no words, and are different in each prompt, so they do not use the cache.
    if (!HAS_LETTERS.test(written)) return null;
    const word = this.repairWord(written);
    if (written.length > MAX_KNOWN_CHARS) return word;
    if (this.found.size >= MAX_KNOWN_WORDS) this.found.clear();
    this.found.set(written, word);
    return word;
  }

  /** The word as a whole, or the parts between signs or capitals. */
  private repairWord(written: string): string | null {
    if (this.others.has(written)) return null;
    const whole = this.find(written.replaceAll(HUMP, ''));
    // A word that equals a form is found without a corrected reading.
    if (whole !== undefined) return whole === written ? null : whole;
    if (isPlain(written)) return null;
    const parts = written.split(BORDERS);
    if (parts.length === 1) return null;
    const words = parts.map((part) => this.find(part));
    return words.every((word) => word === undefined) ? null : parts.map((part, at) => words[at] ?? part).join(' ');
  }

  private find(written: string): string | undefined {
    if (written.length < MIN_LETTERS || written.length > 2 * MAX_WORD_LETTERS) return undefined;
    if (isPlain(written)) return this.findTrimmed(written);
    const word = this.findTrimmed(written.replace(PUNCTUATION_AROUND, ''));
    // A question mark ends a sentence, or hides the last letter.
    return word === undefined && written.endsWith('?') ? this.findTrimmed(written) : word;
  }

  private findTrimmed(written: string): string | undefined {
    for (const form of writtenForms(normalizeWord(written), (letters) => this.mayBeChanged(letters))) {
      const word = this.beginnings[beginningOf(form)] === 1 ? this.words.get(form) : undefined;
      if (word !== undefined) return word;
    }
    return undefined;
  }

  private mayBeChanged(letters: string): boolean {
    return this.ends.has(letters.slice(0, UNCHANGED_LETTERS)) || this.ends.has(letters.slice(-UNCHANGED_LETTERS));
  }
}

function beginningOf(form: string): number {
  return (form.charCodeAt(0) * 961 + form.charCodeAt(1) * 31 + form.charCodeAt(2)) % BEGINNINGS;
}

/** Splits at spaces; consecutive single letters are one word, spelled out. */
function wordsIn({ codes, humps }: FoldedText): string[] {
  const words: string[] = [];
  let single: string[] = [];
  const endSpelling = (): void => {
    if (single.length >= MIN_SINGLE_LETTERS_IN_A_ROW) words.push(single.join(''));
    else words.push(...single);
    single = [];
  };
  let word = '';
  let length = 0;
  for (let at = 0; at <= codes.length; at++) {
    const code = codes[at] ?? SPACE;
    if (code !== SPACE) {
      word += (humps[at] === 1 ? HUMP : '') + String.fromCodePoint(code);
      length += 1;
      continue;
    }
    if (length === 1) single.push(word.replace(HUMP, ''));
    else if (length > 1) {
      endSpelling();
      words.push(word);
    }
    word = '';
    length = 0;
  }
  endSpelling();
  return words;
}
