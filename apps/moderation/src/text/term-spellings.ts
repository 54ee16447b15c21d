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
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
/** The shifts of well-known ciphers: Caesar's, by one, and by half the alphabet (ROT13). */
const SHIFTS = [1, 3, 13, 23, 25];

const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** The letter that stands for each other one; none for those that stay. */
type Letters = Readonly<Record<string, string | undefined>>;

/** Pairs of letters that together look like one letter, and the reverse. */
const PAIRS: readonly (readonly [letter: string, pair: string])[] = [
  ['m', 'rn'],
  ['w', 'vv'],
  ['d', 'cl'],
];
/** Latin letters that become another letter upside down. */
const UPSIDE_DOWN: Letters = {
  b: 'q',
  q: 'b',
  d: 'p',
  p: 'd',
  n: 'u',
  u: 'n',
  g: 'b',
  f: 'j',
};
const SHIFTED = SHIFTS.map((shift) => cipherOf((_, at) => ALPHABET[(at + shift) % ALPHABET.length]));
/** Typed with the hands one key aside; the row wraps around at its end. */
const MOVED = [1, -1].map((keys) => cipherOf((letter) => keyBeside(letter, keys)));
/** Atbash: the alphabet reversed. */
const MIRRORED = cipherOf((_, at) => ALPHABET.at(-1 - at));

/** The folded words of a term; figures are kept, signs separate. */
export function wordsOf(term: string): string[] {
  return wordsIn(foldedOf(term));
}

function foldedOf(text: string): string {
  return Array.from(text, foldCharacter).join('');
}

function wordsIn(folded: string): string[] {
  return folded.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
}

/** Whether a term has enough letters or figures to be searched. */
export function isSearchable(term: string): boolean {
  return wordsOf(term).join('').length >= 2;
}

/** All spellings of a term to search, without duplicates: a cipher may leave a term unchanged. */
export function spellingsOf(term: string, isDisguised: boolean): Spelling[] {
  const spellings = new Map<string, Spelling>();
  const add = (words: readonly string[], isCipher: boolean): void => {
    const key = keyOf(words);
    if (!spellings.has(key)) spellings.set(key, { ...toSpelling(words, term.endsWith('*')), isCipher });
  };
  for (const folded of new Set(casesOf(term).map(foldedOf))) add(wordsIn(folded), false);
  if (isDisguised) for (const words of disguisesOf(wordsOf(term))) add(words, true);
  return [...spellings.values()];
}

/** The term itself, and in capitals of scripts in which those look like other letters. */
function casesOf(term: string): string[] {
  const [first = '', ...rest] = Array.from(term.toLowerCase());
  return [term.toLowerCase(), term.toUpperCase(), first.toUpperCase() + rest.join('')];
}

/** All disguises that change the letters: reversed, upside down, fixed ciphers, lookalike pairs. */
function disguisesOf(words: readonly string[]): string[][] {
  const letters = words.join('');
  const turned = letters.length < MIN_LETTERS_TO_ROTATE ? [] : rotatedSpellings(words);
  return LATIN_WORD.test(letters) ? [...turned, ...latinSpellings(words)] : turned;
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
  const by = (letters: Letters): string[] => words.map((word) => replaceLetters(word, letters));
  return [...paired, ...SHIFTED.map(by), ...MOVED.map(by), words.map(swapPairs), by(MIRRORED), words.map(toPigLatin)];
}

/** With each pair replaced or not: at most eight spellings of a word. */
function pairings(word: string): string[] {
  return PAIRS.reduce(
    (written, [letter, pair]) => [
      ...new Set(written.flatMap((form) => [form, form.replaceAll(letter, pair), form.replaceAll(pair, letter)])),
    ],
    [word],
  );
}

function reverse(word: string): string {
  return Array.from(word).reverse().join('');
}

function replaceLetters(word: string, letters: Letters): string {
  let replaced = '';
  for (const letter of word) replaced += letters[letter] ?? letter;
  return replaced;
}

function cipherOf(letterFor: (letter: string, at: number) => string | undefined): Letters {
  return Object.fromEntries(Array.from(ALPHABET, (letter, at) => [letter, letterFor(letter, at)]));
}

function keyBeside(letter: string, keys: number): string | undefined {
  const row = KEY_ROWS.find((letters) => letters.includes(letter)) ?? letter;
  return row.at((row.indexOf(letter) + keys) % row.length);
}

function swapPairs(word: string): string {
  return word.replace(/(.)(.)/gu, '$2$1');
}

/** Pig Latin (`igpay atinlay`): the letters before the first vowel move to the end. */
function toPigLatin(word: string): string {
  const [, head = '', tail = ''] = /^([^aeiou]*)(.*)$/.exec(word) ?? [];
  return `${tail}${head}ay`;
}

/** What tells the spellings of one term apart; everything else follows from it. `l` and `i` are merged, as in `mergeLikeLetters`. */
function keyOf(words: readonly string[]): string {
  return `${words.join('').replaceAll('l', 'i')} ${words.length}`;
}
