import { foldCharacter } from './fold-character';
import { KIND, kindOf } from './folded-text';
import { mergeLikeLetters } from './letter-runs';

/** One way to write a term, as the runs of letters to match. */
export interface Spelling {
  symbols: number[];
  /** The minimum repetitions of each letter; more is a disguise, fewer is another word. */
  counts: number[];
  letterCount: number;
  /** The number of spaces inside the spelling. */
  spaceCount: number;
  /** Matches without word boundaries too. */
  isInsideWords: boolean;
  /** `ребён*` matches all words with this beginning. */
  isOpenEnded: boolean;
  /** Whether the letters differ from the term's own: a cipher, or the term reversed. */
  isCipher: boolean;
}

/** A shorter term may be part of an innocent word, such as `assassin`. */
const MIN_LETTERS_INSIDE_WORDS = 12;
/** Shorter terms are other words when they are reversed, or when two letters are exchanged. */
const MIN_LETTERS_TO_ROTATE = 5;
const LATIN_WORD = /^[a-z]+$/;
const A = 97;
const ALPHABET_LETTERS = 26;
/** The shifts of well-known ciphers: Caesar's, by one, and by half the alphabet (ROT13). */
const SHIFTS = [1, 3, 13, 23, 25];

const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Pairs of letters that together look like one letter, and the reverse. */
const PAIRS: readonly (readonly [letter: string, pair: string])[] = [
  ['m', 'rn'],
  ['w', 'vv'],
  ['d', 'cl'],
];
/** Latin letters that become another letter upside down. */
const UPSIDE_DOWN: Readonly<Record<string, string>> = {
  b: 'q',
  q: 'b',
  d: 'p',
  p: 'd',
  n: 'u',
  u: 'n',
  g: 'b',
  f: 'j',
};

/** The folded words of a term; figures are kept, signs separate. */
export function wordsOf(term: string): string[] {
  const folded = Array.from(term, foldCharacter).join('');
  return folded.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
}

/** Whether a term has enough letters or figures to be searched. */
export function isSearchable(term: string): boolean {
  return wordsOf(term).join('').length >= 2;
}

/** All spellings of a term to search, without duplicates: a cipher may leave a term unchanged. */
export function spellingsOf(term: string, isDisguised: boolean): Spelling[] {
  const plain = plainSpellings(term);
  if (!isDisguised) return plain;
  const asItIs = new Set(plain.map(keyOf));
  return [...plain, ...disguisedSpellings(term).filter((spelling) => !asItIs.has(keyOf(spelling)))];
}

/** The term itself, and in capitals of scripts in which those look like other letters. */
function plainSpellings(term: string): Spelling[] {
  const isOpenEnded = term.endsWith('*');
  const [first = '', ...rest] = Array.from(term.toLowerCase());
  const cases = [term.toLowerCase(), term.toUpperCase(), first.toUpperCase() + rest.join('')];
  return distinct(cases.map((written) => toSpelling(wordsOf(written), isOpenEnded)));
}

/** All disguises that change the letters: reversed, upside down, fixed ciphers, lookalike pairs. */
function disguisedSpellings(term: string): Spelling[] {
  const words = wordsOf(term);
  const letters = words.join('');
  const turned = letters.length < MIN_LETTERS_TO_ROTATE ? [] : rotatedSpellings(words);
  const latin = LATIN_WORD.test(letters) ? latinSpellings(words) : [];
  const isOpenEnded = term.endsWith('*');
  return distinct([...turned, ...latin].map((written) => ({ ...toSpelling(written, isOpenEnded), isCipher: true })));
}

export function toSpelling(words: readonly string[], isOpenEnded = false): Spelling {
  const letters = Array.from(words.join(''));
  const symbols: number[] = [];
  const counts: number[] = [];
  for (const letter of letters) {
    const symbol = mergeLikeLetters(letter.codePointAt(0) ?? 0);
    if (symbols.at(-1) === symbol) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    else {
      symbols.push(symbol);
      counts.push(1);
    }
  }
  return {
    symbols,
    counts,
    letterCount: letters.length,
    spaceCount: Math.max(0, words.length - 1),
    isInsideWords:
      letters.length >= MIN_LETTERS_INSIDE_WORDS || symbols.every((symbol) => kindOf(symbol) === KIND.unspacedLetter),
    isOpenEnded,
    isCipher: false,
  };
}

function rotatedSpellings(words: readonly string[]): string[][] {
  const backwards = words.map(reverse).reverse();
  const flipped = words.map((word) => replaceLetters(word, UPSIDE_DOWN));
  return [backwards, words.map(reverse), flipped, flipped.map(reverse).reverse()];
}

function latinSpellings(words: readonly string[]): string[][] {
  const paired = pairings(words.join(' ')).map((written) => written.split(' '));
  if (words.join('').length < MIN_LETTERS_TO_ROTATE) return paired;
  const shifted = SHIFTS.map((shift) => words.map((word) => rotate(word, shift)));
  const moved = [1, -1].map((keys) => words.map((word) => moveAlongKeys(word, keys)));
  return [...paired, ...shifted, ...moved, words.map(swapPairs), words.map(mirrorAlphabet), words.map(toPigLatin)];
}

/** With each pair replaced or not: at most eight spellings of a word. */
function pairings(word: string): string[] {
  return PAIRS.reduce(
    (written, [letter, pair]) =>
      written.flatMap((form) => [form, form.replaceAll(letter, pair), form.replaceAll(pair, letter)]),
    [word],
  );
}

function reverse(word: string): string {
  return Array.from(word).reverse().join('');
}

function replaceLetters(word: string, letters: Readonly<Record<string, string>>): string {
  return Array.from(word, (letter) => letters[letter] ?? letter).join('');
}

function rotate(word: string, shift: number): string {
  return word.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - A + shift) % ALPHABET_LETTERS) + A),
  );
}

/** Typed with the hands one key aside; the row wraps around at its end. */
function moveAlongKeys(word: string, keys: number): string {
  return word.replace(/[a-z]/g, (letter) => {
    const row = KEY_ROWS.find((letters) => letters.includes(letter)) ?? letter;
    return row[row.indexOf(letter) + keys] ?? row.at(keys > 0 ? 0 : -1) ?? letter;
  });
}

function swapPairs(word: string): string {
  return word.replace(/(.)(.)/gu, '$2$1');
}

/** Atbash: the alphabet reversed. */
function mirrorAlphabet(word: string): string {
  return word.replace(/[a-z]/g, (letter) => String.fromCharCode(2 * A + ALPHABET_LETTERS - 1 - letter.charCodeAt(0)));
}

/** Pig Latin (`igpay atinlay`): the letters before the first vowel move to the end. */
function toPigLatin(word: string): string {
  const [, head = '', tail = ''] = /^([^aeiou]*)(.*)$/.exec(word) ?? [];
  return `${tail}${head}ay`;
}

function distinct(spellings: readonly Spelling[]): Spelling[] {
  return [...new Map(spellings.map((spelling) => [keyOf(spelling), spelling])).values()];
}

/** What tells the spellings of one term apart; everything else follows from it. */
function keyOf({ symbols, counts, spaceCount }: Spelling): string {
  return `${String.fromCodePoint(...symbols)} ${counts.join()} ${spaceCount}`;
}
