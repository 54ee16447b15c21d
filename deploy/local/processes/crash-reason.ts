const SHOWN_CHARACTERS = 300;
/** Node ends its output about an uncaught error with its version. */
const NODE_VERSION = /^Node\.js v/;
const ERROR = /^\w*Error\b/;
/** `initdb` prints the error first, and a message about its cleanup last. */
const TIDYING = /^initdb: removing /;
const POSTGRES_ERROR = /\b(?:FATAL|PANIC|error): +(?<reason>.+)/;

/** The reason why a program ended, from its log: the last line or, for a structured line, the error in it. */
export function crashReason(log: string): string {
  const lines = log.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  const line = NODE_VERSION.test(last) ? (lines.findLast((candidate) => ERROR.test(candidate)) ?? last) : last;
  const words = TIDYING.test(last) ? postgresError(lines) : (errorIn(line) ?? line);
  return words === '' ? 'it said nothing' : shorten(words);
}

/** At the end of a word, so that a cut name is not taken for a whole one. */
function shorten(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  const shown = text.slice(0, SHOWN_CHARACTERS);
  return `${shown.slice(0, shown.lastIndexOf(' ')).replace(/\W+$/, '')} …`;
}

/** Only the part of the log from the last run, so that errors of earlier runs are not reported. */
function postgresError(lines: string[]): string {
  const line = lines.findLast((candidate) => POSTGRES_ERROR.test(candidate)) ?? lines.at(-1) ?? '';
  return POSTGRES_ERROR.exec(line)?.groups?.['reason'] ?? line;
}

/** The logged text of an error is its stack, or its message, which is the first line of the stack. */
function errorIn(line: string): string | null {
  try {
    const { stack, msg } = JSON.parse(line) as { stack?: string; msg?: string };
    const [message = ''] = (stack ?? msg ?? '').split('\n');
    return message.replace(/^Error: /, '') || null;
  } catch {
    return null;
  }
}
