import { letterOfFigure } from './fold-character';
import { KIND, kindOf } from './folded-text';
import { letterOfSign } from './sign-letters';

const MASK = '*';
/** Prefix of a form that is spelled by sound, or that lacks one of its letters. */
const SOUND = '~';
const CHANGED = '-';

const MIN_LETTERS = 3;
/** In a shorter word, one changed letter results in too many other words, such as `tens` and `teens`. */
const MIN_LETTERS_TO_MISSPELL = 5;
const MIN_CONSONANTS = 4;
const MIN_LETTERS_TO_DROP_ONE = 7;
const MIN_LETTERS_TO_CHANGE_ONE = 8;
/** In a shorter word, one additional letter results in too many other words, such as `infanta` and `infant`. */
export const MIN_LETTERS_TO_INSERT_ONE = 7;
/** The number of ways to hide two letters grows with the square of the length. */
const MAX_LETTERS_TO_HIDE_TWO = 25;
/** A text with fewer letters beside figures and signs is a number, a time, a price or an aperture. */
const MIN_OWN_LETTERS = 2;
const MAX_HIDDEN = 2;
export const MAX_WORD_LETTERS = 40;

const DIVIDERS = new Set(Array.from("-‐‑‒–—―_.,'’`/\\~·•", (sign) => sign.codePointAt(0)));
/** Letters with several spellings of their sound. */
const UNSURE_SOUND = /ph|ck|[cqxzyw]/g;
const SOUNDS: Readonly<Record<string, string>> = {
  ph: 'f',
  ck: 'k',
  c: 'k',
  q: 'k',
  x: 'ks',
  z: 's',
  y: 'i',
  w: 'v',
};
const VOWEL = /[aeiou]/g;
const THREE_IN_A_ROW = /([^*])\1\1/;
const REPEATED = /([^*])\1{2,}/gu;
const PLAIN = /^[\p{L}\p{M}]+$/u;

/** Three readings: signs hide letters; signs and figures are letters; only figures are letters, and signs hide some. */
const WAYS_TO_READ: readonly ((code: number) => number)[] = [(code) => code, readAsLetter, readFigure];

/** No word has the same letter three times in a row; `l` becomes `i`, as in `mergeLikeLetters`. */
export function normalizeWord(word: string): string {
  return (THREE_IN_A_ROW.test(word) ? word.replace(REPEATED, '$1') : word).replaceAll('l', 'i');
}

/** All misspelled forms of a word to search, normalized; the correct word is found without them. */
export function wrongForms(word: string): string[] {
  const letters = Array.from(word);
  if (letters.length < MIN_LETTERS || letters.length > MAX_WORD_LETTERS || !PLAIN.test(word)) return [];
  const forms = withOneHidden(letters);
  if (letters.length >= MIN_LETTERS_TO_MISSPELL) {
    const consonants = withoutVowels(word);
    forms.push(...withTwoExchanged(letters), SOUND + soundOf(word));
    if (consonants.length >= MIN_CONSONANTS) forms.push(consonants, withHiddenVowels(word));
    if (letters.length <= MAX_LETTERS_TO_HIDE_TWO) forms.push(...withTwoHidden(letters));
  }
  if (letters.length >= MIN_LETTERS_TO_INSERT_ONE) forms.push(CHANGED + word);
  if (letters.length >= MIN_LETTERS_TO_DROP_ONE) forms.push(...withOneLess(word).slice(1, -1));
  if (letters.length >= MIN_LETTERS_TO_CHANGE_ONE) forms.push(...withOneLess(word).map((form) => CHANGED + form));
  const itself = normalizeWord(word);
  return forms
    .filter((form) => !THREE_IN_A_ROW.test(form))
    .map(normalizeWord)
    .filter((form) => form !== itself && form.length >= MIN_LETTERS);
}

export function isPlain(word: string): boolean {
  for (const letter of word) if (!isLetter(letter.codePointAt(0) ?? 0)) return false;
  return true;
}

/**
 * The forms to look up for a normalized written word.
 * @param mayBeChanged whether one letter may be wrong; this adds as many forms as the word has letters
 */
export function writtenForms(written: string, mayBeChanged: (letters: string) => boolean): string[] {
  if (isPlain(written)) return letterForms(written, mayBeChanged);
  const codes = Array.from(written, (character) => character.codePointAt(0) ?? 0);
  if (codes.filter(isLetter).length < MIN_OWN_LETTERS) return [];
  const letters = codes.map(readAsLetter);
  const forms = letters.every(isLetter) ? letterForms(String.fromCodePoint(...letters), mayBeChanged) : [];
  const withoutDividers = codes.filter((code) => !DIVIDERS.has(code));
  for (const seen of withoutDividers.length === codes.length ? [codes] : [withoutDividers, codes]) {
    for (const read of WAYS_TO_READ) {
      const form = hide(seen.map(read));
      if (form !== null) forms.push(form);
    }
  }
  return forms;
}

function letterForms(letters: string, mayBeChanged: (letters: string) => boolean): string[] {
  const forms = [letters, SOUND + soundOf(letters)];
  const isLong = letters.length >= MIN_LETTERS_TO_CHANGE_ONE - 1 && letters.length <= MAX_WORD_LETTERS + 1;
  if (isLong && mayBeChanged(letters)) forms.push(...withOneLess(letters).map((form) => CHANGED + form));
  return forms;
}

/** Each other sign hides one letter; null where a word of this length has more hidden letters than any form. */
function hide(codes: readonly number[]): string | null {
  let hidden = 0;
  for (const code of codes) if (!isLetter(code)) hidden += 1;
  const mayBeVowels = 2 * hidden <= codes.length;
  const mayBeHidden = hidden <= MAX_HIDDEN && codes.length >= MIN_LETTERS + MAX_HIDDEN * (hidden - 1);
  if (!mayBeVowels && !mayBeHidden) return null;
  return codes.map((code) => (isLetter(code) ? String.fromCodePoint(code) : MASK)).join('');
}

function isLetter(code: number): boolean {
  const kind = kindOf(code);
  return kind === KIND.letter || kind === KIND.unspacedLetter;
}

function readAsLetter(code: number): number {
  return kindOf(code) === KIND.sign ? (letterOfSign(code) ?? code) : readFigure(code);
}

function readFigure(code: number): number {
  return kindOf(code) === KIND.figure ? letterOfFigure(String.fromCharCode(code)).charCodeAt(0) : code;
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

function withHiddenVowels(word: string): string {
  return word.slice(0, 1) + word.slice(1).replace(VOWEL, MASK);
}

function withOneLess(word: string): string[] {
  return Array.from({ length: word.length }, (_, index) => word.slice(0, index) + word.slice(index + 1));
}

/** Replaces letters with the same sound by one of them. */
function soundOf(word: string): string {
  return word.replace(UNSURE_SOUND, (letters) => SOUNDS[letters] ?? letters).replaceAll('kk', 'k');
}
