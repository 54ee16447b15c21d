import { type Random, pick } from './random.fixtures';

/** Text that is inserted between the letters of a word, or around them. */
type GapEvasion = (word: string, random: Random) => string;

const SIGNS = [...'.-_*~·•|/,:;+=^"\'<>()[]{}\\…–—'];
const PICTOGRAPHS = ['🔥', '✨', '❤️', '🌈', '⭐'];
const ZERO_WIDTH = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u180e'];
const MARKS = ['\u0301', '\u0336', '\u0489', '\u20dd', '\u034f', '\u0323'];

export const GAP_EVASIONS: Readonly<Record<string, GapEvasion>> = {
  'spaced out': (word) => between(word, () => ' '),
  'spaced out widely': (word) => between(word, () => ' \u2003 '),
  dotted: (word) => between(word, () => '.'),
  hyphenated: (word) => between(word, () => '-'),
  underscores: (word) => between(word, () => '_'),
  'any signs': (word, random) => between(word, () => pick(SIGNS, random)),
  'signs and spaces': (word, random) => between(word, () => ` ${pick(SIGNS, random)} `),
  'pictures between': (word, random) => between(word, () => pick(PICTOGRAPHS, random)),
  'figures between': (word, random) => between(word, () => String(Math.floor(random() * 10))),
  'from top to bottom': (word) => between(word, () => '\n'),
  'tabs between': (word) => between(word, () => '\t'),
  'cut by a space': (word, random) => cut(word, ' ', random),
  'cut by a line break': (word, random) => cut(word, '\n', random),
  'cut by a sign': (word, random) => cut(word, pick(SIGNS, random), random),
  'zero-width characters': (word, random) => between(word, () => pick(ZERO_WIDTH, random)),
  'soft hyphens': (word) => between(word, () => '\u00ad'),
  'direction marks': (word) => between(word, () => '\u200f\u202a'),
  'isolated directions': (word) => `\u2067${between(word, () => '\u2066\u2069')}\u2069`,
  'control characters': (word) => between(word, () => '\u0007'),
  'Hangul fillers': (word) => between(word, () => '\u3164'),
  'variation selectors': (word) => between(word, () => '\ufe0f'),
  'combining marks': (word, random) =>
    [...word].map((letter) => `${letter}${pick(MARKS, random)}${pick(MARKS, random)}`).join(''),
  'doubled letters': (word) => [...word].map((letter) => letter.repeat(2)).join(''),
  'some letters repeated': (word, random) =>
    [...word].map((letter) => letter.repeat(1 + Math.floor(random() * 4))).join(''),
  'tags of HTML between': (word) => between(word, () => '<b></b>'),
  'comments of HTML between': (word) => between(word, () => '<!-- x -->'),
  'tags of HTML that nothing closes': (word, random) => cut(word, pick(['<b ', '<b', '</i '], random), random),
  'tags inside tags': (word, random) => cut(word, '<<b>i>', random),
  'a link in Markdown': (word, random) => {
    const letters = [...word];
    const at = 1 + Math.floor(random() * (letters.length - 2));
    return letters.with(at, `[${letters[at] ?? ''}](http://a.test/b)`).join('');
  },
  'bold in Markdown': (word, random) => {
    const letters = [...word];
    const at = 1 + Math.floor(random() * (letters.length - 2));
    return letters.with(at, `**${letters[at] ?? ''}**`).join('');
  },
  quoted: (word) => `"${word}"`,
  'in a file name': (word) => `IMG_${word.replaceAll(' ', '_')}_01.png`,
  'in CamelCase': (word) =>
    `Photo${word
      .split(' ')
      .map((part) => capitalized(part))
      .join('')}Study`,
  'as a hashtag': (word) => `#${word.replaceAll(' ', '')}`,
};

function between(word: string, gap: () => string): string {
  return [...word].map((letter, index) => (index === 0 ? letter : gap() + letter)).join('');
}

function cut(word: string, gap: string, random: Random): string {
  const letters = [...word];
  const at = 1 + Math.floor(random() * (letters.length - 1));
  return letters.slice(0, at).join('') + gap + letters.slice(at).join('');
}

function capitalized(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}
