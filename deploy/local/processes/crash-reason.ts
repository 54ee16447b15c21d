const SHOWN_CHARACTERS = 300;
/** What Node prints of an error that nobody caught ends with its version. */
const NODE_VERSION = /^Node\.js v/;
const ERROR = /^\w*Error\b/;
/** `initdb` says why it failed, and then that it tidies up. */
const TIDYING = /^initdb: removing /;
const POSTGRES_ERROR = /\b(?:FATAL|PANIC|error): +(?<reason>.+)/;

/** Why a program ended, as its log tells it: the last line, and of a structured one the error in it. */
export function crashReason(log: string): string {
  const lines = log.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  const line = NODE_VERSION.test(last) ? (lines.findLast((candidate) => ERROR.test(candidate)) ?? last) : last;
  const words = TIDYING.test(last) ? postgresError(lines) : (errorIn(line) ?? line);
  return words === '' ? 'it said nothing' : words.slice(0, SHOWN_CHARACTERS);
}

/** Of the run that ended last: nothing of an earlier one stands behind its own error. */
function postgresError(lines: string[]): string {
  const line = lines.findLast((candidate) => POSTGRES_ERROR.test(candidate)) ?? lines.at(-1) ?? '';
  return POSTGRES_ERROR.exec(line)?.groups?.['reason'] ?? line;
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
