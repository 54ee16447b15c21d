import { readEncoded } from './encoded-text';
import { OTHER_LOOKALIKES } from './lookalikes';
import { withAndWithoutMarkup } from './markup';
import { readDrawnLetters } from './sign-letters';
import { rereadReplaced, rereadWords } from './words-around';

/** Entities can be nested (`&amp;amp;`). Text with more levels than this is not readable by a person. */
const MAX_ROUNDS = 3;
const FULLWIDTH = /[！-～]/g;
const FULLWIDTH_SHIFT = 0xfee0;
const NUMBERED = /&#(?:x0*([0-9a-f]{1,6})|0*([0-9]{1,7}));?/gi;
const NAMED = /&([a-z]{2,24});/gi;
/** An equals sign with more than two figures after it is followed by a number, not by a quoted-printable escape. */
const ESCAPED =
  /\\u\{([0-9a-f]{1,6})\}|(?:\\u|\\U|U\+|%u)(?:0000)?([0-9a-f]{4,5})|(?:\\x|%|=(?![0-9a-f]{2}\d))([0-9a-f]{2})|\\([0-7]{3})/gi;
/** Without any of these characters, a text has no entities and no escapes. */
const ESCAPE = /[&%\\=]|U\+/i;
/** Escapes that may be a word after a sign instead. Nested entities are excluded, because there are many of them. */
const WORD_LIKE_ESCAPE = /&(?!amp;|nbsp;|shy;)[a-z]{2,24};|[=%][0-9a-f]{2}[a-z]/i;
const PERCENT = /(?:%[0-9a-f]{2})+/gi;
/**
 * CSS escapes, with an optional space at the end. The backslash may also separate folders, so the decoded text is an
 * additional reading.
 */
const STYLE_ESCAPE = /\\([0-9a-f]{6}|[0-9a-f]{1,5} ?)/gi;
const NAMED_LETTER = /\\N\{LATIN (?:SMALL|CAPITAL) LETTER ([A-Z])[^{}]{0,40}\}/gi;
const BEYOND_ASCII = /[^\0-\x7f]/;
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
/** Entities of letters begin with that letter: `&eacute;`, `&copf;`. */
const LETTER_ENTITY =
  /^([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron|breve|macr|ogon|dot|strok|fr|opf|scr)$/i;

/** Emoji that are used instead of words. */
const PICTOGRAPHS: Readonly<Record<string, string>> = {
  '👶': ' baby ',
  '🧒': ' child ',
  '👧': ' girl ',
  '👦': ' boy ',
  '🚸': ' children ',
  '🍼': ' baby ',
};
const PICTOGRAPH = new RegExp(Object.keys(PICTOGRAPHS).join('|'), 'gu');
/** Other pictographs are read as signs, and signs separate no letters. */
const PICTOGRAPH_LETTERS = new RegExp(`${PICTOGRAPH.source}|[\\u20e3©®ℹ™Ⓜ]|\\p{Regional_Indicator}{2}`, 'u');

/** Emoji, flags and boxed figures, with their joiners and modifiers. */
const DRAWN_PICTOGRAPH =
  /[0-9#*]?\ufe0f?\u20e3|[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\u200d\ufe0f]/gu;

const TAG_CHARACTER = /[\u{e0020}-\u{e007e}]/gu;
const TAG_SHIFT = 0xe0000;
const OTHER_LOOKALIKE = new RegExp(`[${[...OTHER_LOOKALIKES.keys()].join('')}]`, 'u');
const OTHER_LOOKALIKES_ALL = new RegExp(OTHER_LOOKALIKE, 'gu');
const INVISIBLE = /[\p{Cf}\ufe0e\ufe0f\u034f]/gu;
const OVERRIDDEN = /\u202e([^\u202c\n]*)/gu;
/** A grid of letters has short lines; prose has long ones. */
const MIN_ROWS = 3;
const MAX_COLUMNS = 12;

/** The decoders for hidden, reversed or encoded text, each with a pattern that the text must match. */
const HIDDEN: readonly (readonly [needed: RegExp, read: (text: string) => string])[] = [
  [BEYOND_ASCII, readTags],
  [BEYOND_ASCII, readOverridden],
  [/\n/, readColumns],
  [/./, readEncoded],
  [BEYOND_ASCII, readWithoutPictographs],
];

/** The text with entities and escapes decoded. */
function decodeText(text: string): string {
  let decoded = text.replace(FULLWIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULLWIDTH_SHIFT));
  for (let round = 0; round < MAX_ROUNDS && ESCAPE.test(decoded); round++) {
    const next = decodeOnce(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

function namePictographs(text: string): string {
  return text.replace(PICTOGRAPH, (image) => PICTOGRAPHS[image] ?? image);
}

/** The text and its other readings: hidden, reversed or encoded text, and letters drawn with other characters. */
export function readingsOf(text: string): string[] {
  const decoded = decodeText(text);
  const readings = new Set([decoded, readUndecoded(text, decoded), decodeText(readStyleEscapes(text))]);
  for (const [needed, read] of HIDDEN) {
    if (needed.test(decoded)) readings.add(decodeText(read(decoded)));
  }
  readings.delete('');
  return [...readings]
    .map(namePictographs)
    .flatMap(withAndWithoutMarkup)
    .flatMap((reading) => [reading, readDrawings(reading)])
    .filter((reading) => reading !== '');
}

function decodeOnce(text: string): string {
  return text
    .replace(PERCENT, decodePercent)
    .replace(NAMED_LETTER, '$1')
    .replace(NUMBERED, (written, hex?: string, decimal?: string) =>
      toCharacter(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), written),
    )
    .replace(NAMED, (_, name: string) => ENTITIES[name.toLowerCase()] ?? LETTER_ENTITY.exec(name)?.[1] ?? '')
    .replace(ESCAPED, (written, braced?: string, long?: string, short?: string, octal?: string) =>
      toCharacter(
        octal === undefined ? Number.parseInt(braced ?? long ?? short ?? '', 16) : Number.parseInt(octal, 8),
        written,
      ),
    );
}

/** Reads words undecoded that only look like an entity or an escape (`&boat;`, `=beach`), because decoding removes letters. */
function readUndecoded(text: string, decoded: string): string {
  return decoded === text ? '' : rereadWords(text, (word) => (WORD_LIKE_ESCAPE.test(word) ? word : null));
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

function readStyleEscapes(text: string): string {
  return rereadReplaced(text, STYLE_ESCAPE, (written, hex = '') => toCharacter(Number.parseInt(hex, 16), written));
}

/** Unicode tag characters are invisible, but language models read them. */
function readTags(text: string): string {
  if (text.search(TAG_CHARACTER) === -1) return '';
  return rereadWords(text, (word) => {
    const read = word.replace(TAG_CHARACTER, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - TAG_SHIFT));
    return read === word ? null : read;
  });
}

/** After a right-to-left override, even Latin letters are displayed from right to left. */
function readOverridden(text: string): string {
  return rereadReplaced(text, OVERRIDDEN, (_, shown = '') => Array.from(shown).reverse().join(''));
}

/** Reads a pictograph as a letter or a word, or removes it where it only separates letters. */
function readWithoutPictographs(text: string): string {
  if (!PICTOGRAPH_LETTERS.test(text)) return '';
  return rereadWords(text, (word) => {
    const read = word.replace(DRAWN_PICTOGRAPH, '');
    return read === word || read === '' ? null : read;
  });
}

/** Reads words that are written from top to bottom, side by side. */
function readColumns(text: string): string {
  const blocks: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.length <= MAX_COLUMNS) blocks.at(-1)?.push(line);
    else blocks.push([]);
  }
  const grids = blocks.filter((lines) => lines.length >= MIN_ROWS);
  return grids.map(turn).join('\n');
}

function turn(lines: readonly string[]): string {
  const rows = lines.map((line) => Array.from(line));
  return Array.from({ length: MAX_COLUMNS }, (_, column) => rows.map((row) => row[column] ?? ' ').join('')).join('\n');
}

/** The words around letters that are drawn with other characters, decoded; empty when there are none. */
function readDrawings(text: string): string {
  if (!OTHER_LOOKALIKE.test(text) && readDrawnLetters(text) === text) return '';
  return rereadWords(text.replace(INVISIBLE, ''), (word) => {
    const read = readDrawnLetters(word).replace(
      OTHER_LOOKALIKES_ALL,
      (character) => OTHER_LOOKALIKES.get(character) ?? character,
    );
    return read === word ? null : read;
  });
}
