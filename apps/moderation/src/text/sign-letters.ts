/** Signs that stand for letters; separate from figures, because most of them also end a sentence or separate words. */
const SIGN_LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '^': 'a',
  '(': 'c',
  '<': 'c',
  '[': 'c',
  '{': 'c',
  '&': 'e',
  '#': 'h',
  '!': 'i',
  '|': 'i',
  '¡': 'i',
  ':': 'i',
  ';': 'i',
  '£': 'i',
  '/': 'i',
  '\\': 'i',
  '°': 'o',
  $: 's',
  '+': 't',
  '%': 'x',
  '¥': 'y',
};

/** Letters that are drawn with several signs, the longest first. */
const DRAWN_LETTERS: readonly (readonly [signs: string, letter: string])[] = [
  ['/\\/\\', 'm'],
  ['\\/\\/', 'w'],
  ['|\\/|', 'm'],
  ['|/\\|', 'w'],
  ['(_)', 'u'],
  ['|_|', 'u'],
  ['|-|', 'h'],
  ['#-#', 'h'],
  [')-(', 'h'],
  [']-[', 'h'],
  ['|\\|', 'n'],
  ['/\\/', 'n'],
  ['^/', 'n'],
  ['()', 'o'],
  ['[]', 'o'],
  ['/\\', 'a'],
  ['/-\\', 'a'],
  ['\\/', 'v'],
  ['|)', 'd'],
  ['|]', 'd'],
  ['|>', 'd'],
  ['[)', 'd'],
  ['|3', 'b'],
  ['|=', 'f'],
  ['|<', 'k'],
  ['|{', 'k'],
  ['|_', 'l'],
  ['|*', 'p'],
  ['|2', 'r'],
  ['><', 'x'],
  ['}{', 'x'],
  ['`/', 'y'],
];
const LETTER_BY_DRAWING = new Map(DRAWN_LETTERS);
const DRAWING = new RegExp(
  DRAWN_LETTERS.map(([signs]) => signs.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
  'g',
);

const letterByCode = new Map(
  Object.entries(SIGN_LETTERS).map(([sign, letter]) => [sign.charCodeAt(0), letter.charCodeAt(0)]),
);

/** Null for a sign that only separates. */
export function letterOfSign(code: number): number | null {
  return letterByCode.get(code) ?? null;
}

/** Decodes drawn letters, such as `|-|` for h. */
export function readDrawnLetters(text: string): string {
  return text.replace(DRAWING, (signs) => LETTER_BY_DRAWING.get(signs) ?? signs);
}
