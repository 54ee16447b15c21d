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
