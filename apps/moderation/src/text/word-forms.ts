import { letterOfFigure } from './fold-character';
import { letterOfSign } from './sign-letters';

const MASK = '*';
/** Before a form that says only how a word sounds, or that leaves one of its letters out. */
const SOUND = '~';
const CHANGED = '-';

const MIN_LETTERS = 3;
/** In a shorter word one changed letter makes too many others, as `tens` of `teens`. */
const MIN_LETTERS_TO_MISSPELL = 5;
const MIN_CONSONANTS = 4;
const MIN_LETTERS_TO_DROP_ONE = 7;
export const MIN_LETTERS_TO_CHANGE_ONE = 8;
/** The number of ways to hide two letters grows with the square of the length. */
const MAX_LETTERS_TO_HIDE_TWO = 25;
export const MAX_WORD_LETTERS = 40;

const DIVIDERS = /[-‐-―_.,'’`/\\~·•]/gu;
/** Written in more than one way. */
const UNSURE_SOUND = /[cpqxzyw]/;
const VOWEL = /[aeiou]/g;
const THREE_IN_A_ROW = /([^*])\1\1/;
const REPEATED = /([^*])\1{2,}/gu;
const PLAIN = /^[\p{L}\p{M}]+$/u;
const LETTER = /[\p{L}\p{M}]/u;
const FIGURE = /[0-9]/;

/** No word has a letter three times in a row; and `l` is `i`, as everywhere. */
export function normalizeWord(word: string): string {
  return (THREE_IN_A_ROW.test(word) ? word.replace(REPEATED, '$1') : word).replaceAll('l', 'i');
}

/** All ways to write a word wrongly that are looked for, normalized; the word itself is found without them. */
export function wrongForms(word: string): string[] {
  const letters = Array.from(word);
  if (letters.length < MIN_LETTERS || letters.length > MAX_WORD_LETTERS || !PLAIN.test(word)) return [];
  const forms = withOneHidden(letters);
  if (letters.length >= MIN_LETTERS_TO_MISSPELL) {
    const consonants = withoutVowels(word);
    forms.push(...withTwoExchanged(letters), SOUND + soundOf(word));
    if (consonants.length >= MIN_CONSONANTS) forms.push(consonants);
    if (letters.length <= MAX_LETTERS_TO_HIDE_TWO) forms.push(...withTwoHidden(letters));
  }
  if (letters.length >= MIN_LETTERS_TO_DROP_ONE) forms.push(...withOneLess(word).slice(1, -1));
  if (letters.length >= MIN_LETTERS_TO_CHANGE_ONE) forms.push(...withOneLess(word).map((form) => CHANGED + form));
  const itself = normalizeWord(word);
  return forms.map(normalizeWord).filter((form) => form !== itself && form.length >= MIN_LETTERS);
}

/**
 * The forms that a normalized word, as it was written, may be among.
 * @param mayBeChanged whether one of its letters may be wrong: looking for that costs as many forms as it has letters
 */
export function writtenForms(written: string, mayBeChanged: (letters: string) => boolean): string[] {
  if (PLAIN.test(written)) return letterForms(written, mayBeChanged);
  const characters = Array.from(written);
  const withoutDividers = Array.from(written.replace(DIVIDERS, ''));
  return [
    ...letterForms(characters.map(readAsLetter).join(''), mayBeChanged),
    ...[withoutDividers, characters].flatMap((seen) => [
      hide(seen, (character) => character),
      hide(seen, readAsLetter),
      hide(seen, (character) => (FIGURE.test(character) ? letterOfFigure(character) : character)),
    ]),
  ];
}

function letterForms(letters: string, mayBeChanged: (letters: string) => boolean): string[] {
  const forms = [letters, SOUND + soundOf(letters)];
  const isLong = letters.length >= MIN_LETTERS_TO_CHANGE_ONE - 1 && letters.length <= MAX_WORD_LETTERS;
  return isLong && mayBeChanged(letters) ? [...forms, ...withOneLess(letters).map((form) => CHANGED + form)] : forms;
}

/** Other signs hide a letter each. */
function hide(characters: readonly string[], read: (character: string) => string): string {
  return characters.map((character) => (LETTER.test(read(character)) ? read(character) : MASK)).join('');
}

function readAsLetter(character: string): string {
  if (FIGURE.test(character)) return letterOfFigure(character);
  const letter = LETTER.test(character) ? null : letterOfSign(character.codePointAt(0) ?? 0);
  return letter === null ? character : String.fromCodePoint(letter);
}

function withOneHidden(letters: readonly string[]): string[] {
  const edge = letters.length < MIN_LETTERS_TO_MISSPELL ? 1 : 0;
  return letters.slice(edge, letters.length - edge).map((_, index) => letters.with(index + edge, MASK).join(''));
}

function withTwoHidden(letters: readonly string[]): string[] {
  return letters.flatMap((_, first) => {
    const hidden = letters.with(first, MASK);
    return hidden.slice(first + 1).map((__, offset) => hidden.with(first + 1 + offset, MASK).join(''));
  });
}

function withTwoExchanged(letters: readonly string[]): string[] {
  return letters.slice(1).map((letter, index) => {
    const exchanged = letters.with(index, letter);
    return exchanged.with(index + 1, letters[index] ?? '').join('');
  });
}

function withoutVowels(word: string): string {
  return word.slice(0, 1) + word.slice(1).replace(VOWEL, '');
}

function withOneLess(word: string): string[] {
  return Array.from({ length: word.length }, (_, index) => word.slice(0, index) + word.slice(index + 1));
}

/** Letters that sound alike as one of them. */
function soundOf(word: string): string {
  if (!UNSURE_SOUND.test(word)) return word;
  return word
    .replaceAll('ph', 'f')
    .replaceAll('ck', 'k')
    .replaceAll('x', 'ks')
    .replace(/[cq]/g, 'k')
    .replaceAll('kk', 'k')
    .replaceAll('z', 's')
    .replaceAll('y', 'i')
    .replaceAll('w', 'v');
}
