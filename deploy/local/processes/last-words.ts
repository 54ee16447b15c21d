const SHOWN_CHARACTERS = 300;

/** Why a program ended, as its log tells it: the last line, and of a structured one the error in it. */
export function lastWords(log: string): string {
  const line = log.trimEnd().split('\n').at(-1) ?? '';
  const words = errorIn(line) ?? line;
  return words === '' ? 'it said nothing' : words.slice(0, SHOWN_CHARACTERS);
}

/** The message stands in the first line of an error's stack. */
function errorIn(line: string): string | null {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry !== 'object' || entry === null || !('stack' in entry)) return null;
    return String(entry.stack).split('\n')[0] ?? null;
  } catch {
    return null;
  }
}
