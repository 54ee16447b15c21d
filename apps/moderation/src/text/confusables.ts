/**
 * Characters that are drawn like a Latin letter and that Unicode's own normalisation leaves as they are:
 * Cyrillic, Greek, Armenian, Cherokee, small capitals and the like. Each string is read letter by letter. It holds lower
 * case, and of upper case what looks like another letter than its lower case does (Ν and ν).
 */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀꭺ',
  b: 'ьбвβʙƀɓᏼꮟ',
  c: 'сᴄꮯƈ¢',
  d: 'ԁᴅꭰđɖɗðժ',
  e: 'еεҽєᴇꭼɛəǝ',
  f: 'ꜰƒғϝք',
  g: 'ɡɢցǥɠԍ',
  h: 'Ηһнʜհηꮋħɦ',
  i: 'іιɪɩӏɨꭵ',
  j: 'јϳᴊյꭻɉʝ',
  k: 'кκᴋꮶƙ',
  l: 'ʟłꮮɭƚɫ',
  m: 'Μмᴍϻꮇɱ',
  n: 'Νпռɴոŋɲղ',
  o: 'оοօσᴏɔøөჿ',
  p: 'рρᴘꮲþƥ',
  q: 'ԛգզɋʠ',
  r: 'гʀꮢɍɽя',
  s: 'ѕꜱꮪʂ',
  t: 'тτᴛꭲŧƭʈ',
  u: 'υцᴜսʋʉ',
  v: 'ѵνᴠꮩ',
  w: 'ѡԝωᴡшɯꮃ',
  x: 'хχ×ҳ',
  y: 'Υуүγʏყƴɏ',
  z: 'Ζᴢꮓƶʐȥ',
};

/** Rows of letters in boxes, which run from A to Z: negative circled, negative squared, regional indicators. */
const BOXED_ALPHABET_STARTS = [0x1f150, 0x1f170, 0x1f1e6];

/** Figures that stand for letters inside words. */
const FIGURES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
};

/** Signs that stand for letters; apart from figures, because most of them also end a sentence or divide words. */
const SIGNS: Readonly<Record<string, string>> = {
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '+': 't',
  '€': 'e',
  '£': 'l',
};

const LETTERS = new Map([
  ...Object.entries(LOOKALIKES).flatMap(([letter, lookalikes]) =>
    [...lookalikes].map((like) => [like, letter] as const),
  ),
  ...BOXED_ALPHABET_STARTS.flatMap((start) =>
    Object.keys(LOOKALIKES).map((letter, index) => [String.fromCodePoint(start + index), letter] as const),
  ),
]);

/** `l` and `i` share the figure 1 and the bar, so that reading either means taking both for one letter. */
const ONE_LETTER: Readonly<Record<string, string>> = { l: 'i' };

export const replaceLookalikes = replacing(Object.fromEntries(LETTERS));
export const readFigures = replacing({ ...FIGURES, ...ONE_LETTER });
export const readFiguresAndSigns = replacing({ ...FIGURES, ...SIGNS, ...ONE_LETTER });

function replacing(table: Readonly<Record<string, string>>): (text: string) => string {
  const map = new Map(Object.entries(table));
  return (text) => Array.from(text, (character) => map.get(character) ?? character).join('');
}
