const SHOWN_CHARACTERS = 300;
/** What Node prints of an error that nobody caught ends with its version. */
const NODE_VERSION = /^Node\.js v/;
const ERROR = /^\w*Error\b/;

/** Why a program ended, as its log tells it: the last line, and of a structured one the error in it. */
export function lastWords(log: string): string {
  const lines = log.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  const line = NODE_VERSION.test(last) ? (lines.findLast((candidate) => ERROR.test(candidate)) ?? last) : last;
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
