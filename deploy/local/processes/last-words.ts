const SHOWN_CHARACTERS = 300;

/** Why a program ended, as its log tells it: the last line, and of a structured one the error in it. */
export function lastWords(log: string): string {
  const line = log.trimEnd().split('\n').at(-1) ?? '';
  const words = errorIn(line) ?? line;
  return words === '' ? 'it said nothing' : words.slice(0, SHOWN_CHARACTERS);
}

/** What is logged of an error is its stack, or its message, which the stack begins with. */
function errorIn(line: string): string | null {
  try {
    const { stack, msg } = JSON.parse(line) as { stack?: string; msg?: string };
    const [message = ''] = (stack ?? msg ?? '').split('\n');
    return message.replace(/^Error: /, '') || null;
  } catch {
    return null;
  }
}
