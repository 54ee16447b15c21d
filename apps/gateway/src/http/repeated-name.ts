import { endOfString } from './json-structure';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = { '[': 0x5b, '{': 0x7b } as const;
const CLOSING = new Set([0x5d, 0x7d]);
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

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
    else if (byte === QUOTE) {
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
  while (SPACES.has(json[next] as number)) next++;
  return json[next] === COLON;
}

function pathOf(levels: readonly Level[]): string {
  return levels.reduce((path, { at }) => {
    if (typeof at === 'number') return `${path}[${at}]`;
    return path === '' ? at : `${path}.${at}`;
  }, '');
}
