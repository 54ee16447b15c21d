import { foldCharacter, letterOfFigure } from './fold-character';
import { letterOfSign } from './sign-letters';

const MASK = '*';
const MIN_LETTERS = 3;
/** In a shorter word one changed letter makes too many others, as `tens` of `teens`. */
const MIN_LETTERS_TO_MISSPELL = 5;
const MIN_LETTERS_TO_DROP_ONE = 7;
const MIN_LETTERS_TO_CHANGE_ONE = 8;
/** The number of ways to hide two letters grows with the square of the length. */
const MAX_LETTERS_TO_HIDE_TWO = 25;
const MAX_WORD_LETTERS = 40;
const MIN_SINGLE_LETTERS_IN_A_ROW = 3;

const PUNCTUATION_AROUND = /^[\s"'“”‘’«»„.,;:!?()[\]{}…、。，-]+|[\s"'“”‘’«»„.,;:!?()[\]{}…、。，-]+$/gu;
const DIVIDERS = /[-‐-―_.,'’`/\\~·•]/gu;
/** Written in more than one way. */
const UNSURE_SOUND = /[cpqxzyw]/;
const VOWEL = /[aeiou]/g;
const THREE_IN_A_ROW = /([^*])\1\1/u;
const REPEATED = /([^*])\1{2,}/gu;
const LETTER = /[\p{L}\p{M}]/u;
const FIGURE = /[0-9]/;

/** Knows the words of a lexicon when letters of them are hidden by signs, left out, exchanged or written as they sound. */
export class MisspelledWords {
  private readonly words = new Map<string, string>();

  constructor(words: Iterable<string>) {
    for (const word of new Set(words)) {
      const letters = Array.from(word).length;
      if (letters < MIN_LETTERS || letters > MAX_WORD_LETTERS || !LETTER.test(word)) continue;
      for (const form of formsOf(word)) if (!this.words.has(form)) this.words.set(form, word);
    }
  }

  /** The text with such words as they are meant; null when there are none. */
  repair(text: string): string | null {
    const meant = new Map<string, string | undefined>();
    const written = wordsIn(text);
    for (const word of written) if (!meant.has(word)) meant.set(word, this.find(word));
    const isRepaired = [...meant.values()].some((word) => word !== undefined);
    return isRepaired ? written.map((word) => meant.get(word) ?? word).join(' ') : null;
  }

  private find(written: string): string | undefined {
    if (written.length < MIN_LETTERS || written.length > 2 * MAX_WORD_LETTERS) return undefined;
    const folded = foldWord(written);
    for (const form of candidateForms(folded)) {
      const word = this.words.get(form);
      if (word !== undefined) return word;
    }
    return undefined;
  }
}

/** At spaces; single letters in a row are one word, spelled out. */
function wordsIn(text: string): string[] {
  const words: string[] = [];
  let single: string[] = [];
  const endSpelling = (): void => {
    if (single.length >= MIN_SINGLE_LETTERS_IN_A_ROW) words.push(single.join(''));
    else words.push(...single);
    single = [];
  };
  for (const word of text.split(/[\s\p{Z}]+/u)) {
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

function foldWord(written: string): string {
  return Array.from(written, foldCharacter).join('').replace(PUNCTUATION_AROUND, '');
}

/** How a written word may stand in the table. */
function candidateForms(folded: string): string[] {
  const characters = Array.from(folded);
  const isPlain = characters.every((character) => LETTER.test(character));
  const letters = isPlain ? folded : characters.map(readAsLetter).join('');
  const forms = misspeltForms(letters);
  if (isPlain) return forms;
  const withoutDividers = Array.from(folded.replace(DIVIDERS, ''));
  return [
    ...forms,
    ...[withoutDividers, characters].flatMap((written) => [
      hide(written, (character) => character),
      hide(written, readAsLetter),
      hide(written, (character) => (FIGURE.test(character) ? letterOfFigure(character) : character)),
    ]),
  ];
}

function misspeltForms(letters: string): string[] {
  const length = letters.length;
  if (length < MIN_LETTERS) return [];
  const changed = length < MIN_LETTERS_TO_CHANGE_ONE - 1 || length > MAX_WORD_LETTERS ? [] : withOneLess(letters);
  return [toKey(letters), toKey(`~${toSound(letters)}`), ...changed.map((form) => toKey(`-${form}`))];
}

/** Other signs hide a letter each. Half of the word must be seen, or `***` would be any. */
function hide(characters: readonly string[], read: (character: string) => string): string {
  return toKey(characters.map((character) => (LETTER.test(read(character)) ? read(character) : MASK)).join(''));
}

function readAsLetter(character: string): string {
  if (FIGURE.test(character)) return letterOfFigure(character);
  const letter = LETTER.test(character) ? null : letterOfSign(character.codePointAt(0) ?? 0);
  return letter === null ? character : String.fromCodePoint(letter);
}

/** All ways to write a word wrongly that are looked for; the word itself is found without this. */
function formsOf(word: string): string[] {
  const letters = Array.from(word);
  const forms = [...withOneHidden(letters)];
  if (letters.length >= MIN_LETTERS_TO_MISSPELL) {
    forms.push(...withTwoExchanged(letters), withoutVowels(word), `~${toSound(word)}`);
    if (letters.length <= MAX_LETTERS_TO_HIDE_TWO) forms.push(...withTwoHidden(letters));
  }
  if (letters.length >= MIN_LETTERS_TO_DROP_ONE) forms.push(...withOneLess(word).slice(1, -1));
  if (letters.length >= MIN_LETTERS_TO_CHANGE_ONE) forms.push(...withOneLess(word).map((form) => `-${form}`));
  const itself = toKey(word);
  return forms.map(toKey).filter((form) => form !== itself && form.length >= MIN_LETTERS);
}

function withOneHidden(letters: readonly string[]): string[] {
  const edge = letters.length < MIN_LETTERS_TO_MISSPELL ? 1 : 0;
  return letters.slice(edge, letters.length - edge).map((_, index) => letters.with(index + edge, MASK).join(''));
}

function withTwoHidden(letters: readonly string[]): string[] {
  return letters.flatMap((_, first) =>
    letters.slice(first + 1).map((__, offset) =>
      letters
        .with(first, MASK)
        .with(first + 1 + offset, MASK)
        .join(''),
    ),
  );
}

function withTwoExchanged(letters: readonly string[]): string[] {
  return letters.slice(1).map((letter, index) =>
    letters
      .with(index, letter)
      .with(index + 1, letters[index] ?? '')
      .join(''),
  );
}

function withoutVowels(word: string): string {
  return word.slice(0, 1) + word.slice(1).replace(VOWEL, '');
}

function withOneLess(word: string): string[] {
  return Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1));
}

/** Letters that sound alike as one of them. */
function toSound(word: string): string {
  if (!UNSURE_SOUND.test(word)) return word;
  return word
    .replaceAll('ph', 'f')
    .replaceAll('ck', 'k')
    .replaceAll('x', 'ks')
    .replace(/[cq]/g, 'k')
    .replaceAll('z', 's')
    .replaceAll('y', 'i')
    .replaceAll('w', 'v');
}

/** No word has a letter three times in a row; and `l` is `i`, as everywhere. */
function toKey(form: string): string {
  const merged = form.replaceAll('l', 'i');
  return THREE_IN_A_ROW.test(merged) ? merged.replace(REPEATED, '$1') : merged;
}
