import { UNSPACED_LOOKALIKES } from './lookalikes';
import { readDrawnLetters } from './sign-letters';

/** An ampersand may itself be written as an entity, and so on; who does so more often writes for no reader. */
const MAX_ROUNDS = 3;
const FULLWIDTH = /[！-～]/g;
const FULLWIDTH_SHIFT = 0xfee0;
const NUMBERED = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi;
const NAMED = /&([a-z]{2,24});/gi;
const ESCAPED = /\\u\{([0-9a-f]{1,6})\}|(?:\\u|\\U|U\+|%u)(?:0000)?([0-9a-f]{4,5})|(?:\\x|=|%)([0-9a-f]{2})/gi;
const PERCENT = /(?:%[0-9a-f]{2})+/gi;
const LAST_CODE_POINT = 0x10ffff;

const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  num: '#',
  semi: ';',
  szlig: 'ss',
};
/** Entities of letters begin with the letter: `&eacute;`, `&copf;`. */
const LETTER_ENTITY =
  /^([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron|breve|macr|ogon|dot|strok|fr|opf|scr)$/i;

/** Pictures that people send for words. */
const PICTURES: Readonly<Record<string, string>> = {
  '👶': ' baby ',
  '🧒': ' child ',
  '👧': ' girl ',
  '👦': ' boy ',
  '🚸': ' children ',
  '🍼': ' baby ',
};
const PICTURE = new RegExp(Object.keys(PICTURES).join('|'), 'gu');

const TAG_CHARACTER = /[\u{e0020}-\u{e007e}]/gu;
const TAG_SHIFT = 0xe0000;
const OVERRIDDEN = /\u202e([^\u202c\n]*)/gu;
const LINES_OF_A_GRID = 3;
const MAX_LINE_CHARS = 40;

/** The text with entities and escapes as the characters that they stand for. */
export function decodeText(text: string): string {
  let decoded = text.replace(FULLWIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULLWIDTH_SHIFT));
  for (let round = 0; round < MAX_ROUNDS && /[&%\\=]|U\+/i.test(decoded); round++) {
    const next = decodeOnce(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded.replace(PICTURE, (picture) => PICTURES[picture] ?? picture);
}

/** What else may be read in a text: other directions, letters drawn with other things. Mostly nothing. */
export function otherReadingsOf(text: string): string[] {
  return [readTags(text), readOverridden(text), readColumns(text), readDrawings(text)].filter(
    (reading) => reading !== null,
  );
}

function decodeOnce(text: string): string {
  return text
    .replace(PERCENT, decodePercent)
    .replace(NUMBERED, (written, hex?: string, decimal?: string) =>
      toCharacter(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), written),
    )
    .replace(NAMED, (_, name: string) => ENTITIES[name.toLowerCase()] ?? LETTER_ENTITY.exec(name)?.[1] ?? '')
    .replace(ESCAPED, (written, braced?: string, long?: string, short?: string) =>
      toCharacter(Number.parseInt(braced ?? long ?? short ?? '', 16), written),
    );
}

function decodePercent(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

function toCharacter(codePoint: number, written: string): string {
  return codePoint <= LAST_CODE_POINT ? String.fromCodePoint(codePoint) : written;
}

/** Tag characters are shown to nobody, and a language model reads them. */
function readTags(text: string): string | null {
  const read = text.replace(TAG_CHARACTER, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - TAG_SHIFT));
  return read === text ? null : read;
}

/** Behind a right-to-left override even Latin letters are shown from right to left. */
function readOverridden(text: string): string | null {
  const read = text.replace(OVERRIDDEN, (_, shown: string) => Array.from(shown).reverse().join(''));
  return read === text ? null : read;
}

/** Words written from top to bottom, side by side. */
function readColumns(text: string): string | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < LINES_OF_A_GRID || lines.some((line) => line.length > MAX_LINE_CHARS)) return null;
  const rows = lines.map((line) => Array.from(line));
  const width = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? ' ').join('')).join('\n');
}

function readDrawings(text: string): string | null {
  const drawn = readDrawnLetters(text);
  const read = Array.from(drawn, (character) => UNSPACED_LOOKALIKES.get(character) ?? character).join('');
  return read === text ? null : read;
}
