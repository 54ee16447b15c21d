import { type Random, pick } from './random.fixtures';

/** Misspellings of a word that a person or a model still reads as that word. */
type SpellingEvasion = (word: string, random: Random) => string;

const SOUNDS: Readonly<Record<string, string>> = {
  f: 'ph',
  c: 'k',
  s: 'z',
  z: 's',
  i: 'y',
  y: 'i',
  q: 'k',
  v: 'w',
};
/** In a shorter word, one additional letter makes another word. */
const MIN_LETTERS_TO_KNOW_AGAIN = 7;
const MASKS = [...'*#?•█'];

export const SPELLING_EVASIONS: Readonly<Record<string, SpellingEvasion>> = {
  'as it is': (word) => word,
  'a letter hidden by an asterisk': (word, random) => inEachWord(word, (part) => replaceOne(part, '*', random)),
  'a letter hidden by a sign': (word, random) =>
    inEachWord(word, (part) => replaceOne(part, pick(MASKS, random), random)),
  'two letters hidden': (word, random) =>
    inEachWord(word, (part) => replaceOne(replaceOne(part, '*', random), '*', random)),
  'two letters exchanged': (word, random) =>
    inEachWord(word, (part) => {
      const at = 1 + Math.floor(random() * (part.length - 2));
      return part.slice(0, at) + part.slice(at + 1, at + 2) + part.slice(at, at + 1) + part.slice(at + 2);
    }),
  'without vowels': (word) => inEachWord(word, (part) => part.slice(0, 1) + part.slice(1).replace(/[aeiou]/g, '')),
  'as it sounds': (word) => word.replace(/[a-z]/g, (letter) => SOUNDS[letter] ?? letter),
  'in the plural': (word) => `${word}s`,
  'without its spaces': (word) => word.replaceAll(' ', ''),
  backwards: (word) => [...word].reverse().join(''),
  'each word backwards': (word) => inEachWord(word, (part) => [...part].reverse().join('')),
  'with a letter more': (word, random) =>
    inEachWord(word, (part) => {
      if (part.length < MIN_LETTERS_TO_KNOW_AGAIN) return part;
      const at = 2 + Math.floor(random() * (part.length - 3));
      return part.slice(0, at) + pick([...'aeioulnrst'], random) + part.slice(at);
    }),
  'behind a common word': (word) => `photo${word}`,
  'before a common word': (word) => `${word}picture`,
  'by thirteen letters': (word) => shifted(word, 13),
  "by three letters, as Caesar's": (word) => shifted(word, 3),
  'by one letter': (word) => shifted(word, 1),
  'in the mirrored alphabet': (word) =>
    word.replace(/[a-z]/g, (letter) => String.fromCharCode(2 * 97 + 25 - letter.charCodeAt(0))),
  'in pig Latin': (word) => inEachWord(word, (part) => part.replace(/^([^aeiou]*)(.*)$/, '$2$1ay')),
};

function shifted(word: string, by: number): string {
  return word.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + by) % 26) + 97));
}

function inEachWord(text: string, change: (word: string) => string): string {
  return text.split(' ').map(change).join(' ');
}

/** Never changes the first letter, by which a person recognises the word. */
function replaceOne(word: string, by: string, random: Random): string {
  const places = [...word]
    .map((letter, index) => ({ letter, index }))
    .filter(({ letter, index }) => index > 0 && /[a-z]/.test(letter));
  const { index } = pick(places, random);
  return word.slice(0, index) + by + word.slice(index + 1);
}
