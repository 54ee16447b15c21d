const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const STRUCTURE = new Set([...'[{,:'].map((character) => character.charCodeAt(0)));

/**
 * Whether a JSON text has more brackets, commas and colons outside of strings than allowed. Parsing millions of them
 * costs seconds and gigabytes. This scan skips a string of any length in one step.
 */
export function hasMoreStructureThan(max: number, json: Buffer): boolean {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) at = endOfString(json, at + 1);
    else if (STRUCTURE.has(byte) && ++count > max) return true;
  }
  return false;
}

/** The index of the closing quote of the string whose content begins at `from`; the length of the text without one. */
export function endOfString(json: Buffer, from: number): number {
  let end = json.indexOf(QUOTE, from);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: Buffer, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

const QUOTATION_MARK = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = { '[': 0x5b, '{': 0x7b } as const;
const CLOSING = new Set([0x5d, 0x7d]);
const SPACE_BYTES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** An object or array that is still open, with the current position in it. */
interface Level {
  /** The names read so far; null for an array. */
  names: Set<string> | null;
  at: string | number;
}

/**
 * The path of the first name that occurs twice in one object of a well-formed JSON text; null if there is none.
 * `JSON.parse` silently keeps the last value, so two parsers could read different requests from one text.
 */
export function findRepeatedName(json: Buffer): string | null {
  const levels: Level[] = [];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    const level = levels.at(-1);
    if (byte === OPENING['{']) levels.push({ names: new Set(), at: '' });
    else if (byte === OPENING['[']) levels.push({ names: null, at: 0 });
    else if (CLOSING.has(byte)) levels.pop();
    else if (byte === COMMA && typeof level?.at === 'number') level.at += 1;
    else if (byte === QUOTATION_MARK) {
      const end = endOfString(json, at + 1);
      if (level?.names && isName(json, end)) {
        level.at = JSON.parse(json.toString('utf8', at, end + 1)) as string;
        if (level.names.has(level.at)) return pathOf(levels);
        level.names.add(level.at);
      }
      at = end;
    }
  }
  return null;
}

/** In a well-formed text only a name is followed by a colon. */
function isName(json: Buffer, end: number): boolean {
  let next = end + 1;
  while (SPACE_BYTES.has(json[next] as number)) next++;
  return json[next] === COLON;
}

function pathOf(levels: readonly Level[]): string {
  return levels.reduce((path, { at }) => {
    if (typeof at === 'number') return `${path}[${at}]`;
    return path === '' ? at : `${path}.${at}`;
  }, '');
}

type Expected = 'value' | 'value_or_end' | 'name' | 'name_or_end' | 'colon' | 'separator';

const SPACES = new Set([' ', '\t', '\r', '\n']);
/** A number, or one of the three names. */
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const FIRST_PRINTABLE = 0x20;

/**
 * The index of the first character that makes the text invalid JSON; its length where the text ends too early.
 * `JSON.parse` reports the position of some errors only, and quotes the text in its messages, which may contain secrets.
 */
export function findJsonError(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = afterSpaces(text, 0); at < text.length; at = afterSpaces(text, at)) {
    const character = text[at] as string;
    const isClosing = character === (open.at(-1) === '{' ? '}' : ']') && open.length > 0;
    if (isClosing && (expected === 'separator' || expected.endsWith('_or_end'))) {
      open.pop();
      expected = 'separator';
      at += 1;
    } else if (expected === 'separator' || expected === 'colon') {
      if (character !== (expected === 'colon' ? ':' : ',') || open.length === 0) return at;
      expected = expected === 'separator' && open.at(-1) === '{' ? 'name' : 'value';
      at += 1;
    } else if (expected.startsWith('value') && (character === '{' || character === '[')) {
      open.push(character);
      expected = character === '{' ? 'name_or_end' : 'value_or_end';
      at += 1;
    } else {
      const isName = expected.startsWith('name');
      const end = character === '"' ? endOfText(text, at) : isName ? at : endOfLiteral(text, at);
      // A negative value is the position of the error.
      if (end <= at) return Math.abs(end);
      expected = isName ? 'colon' : 'separator';
      at = end;
    }
  }
  return text.length;
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (SPACES.has(text[at] as string)) at += 1;
  return at;
}

/** The index after the closing quote; negated, the index of an invalid character before it. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (text[at] === '"') return at + 1;
    if (code < FIRST_PRINTABLE) return -at;
    if (text[at] !== '\\') at += 1;
    else {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return -at;
      at = ESCAPE.lastIndex;
    }
  }
  return -text.length;
}

/** The index after the literal; `from` where none begins. */
function endOfLiteral(text: string, from: number): number {
  LITERAL.lastIndex = from;
  return LITERAL.test(text) ? LITERAL.lastIndex : from;
}
