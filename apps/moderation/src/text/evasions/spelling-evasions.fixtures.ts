import { type Random, pick } from './random.fixtures';

/** Ways to spell a word wrongly that a person, or a model, still reads as that word. */
export type SpellingEvasion = (word: string, random: Random) => string;

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
  'by thirteen letters': (word) =>
    word.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97)),
  'in pig Latin': (word) => inEachWord(word, (part) => part.replace(/^([^aeiou]*)(.*)$/, '$2$1ay')),
};

function inEachWord(text: string, change: (word: string) => string): string {
  return text.split(' ').map(change).join(' ');
}

/** Never the first letter, by which a person finds the word. */
function replaceOne(word: string, by: string, random: Random): string {
  const places = [...word]
    .map((letter, index) => ({ letter, index }))
    .filter(({ letter, index }) => index > 0 && /[a-z]/.test(letter));
  const { index } = pick(places, random);
  return word.slice(0, index) + by + word.slice(index + 1);
}
