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
