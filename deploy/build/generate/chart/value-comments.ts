import { isMap, isScalar, parseDocument, type Pair, type Range } from 'yaml';

/** The comments of a values file by the path of their value, such as `image.tag`. */
export type ValueComments = Map<string, string>;

/**
 * A comment belongs to the value that follows it without an empty line, or that it stands beside. The parser attaches comments to nodes
 * by rules of its own, so they are read by line; of values inside `{ … }`, which have no line of their own, none is read.
 */
export function readComments(text: string): ValueComments {
  const comments: ValueComments = new Map();
  const lines = text.split('\n');
  collect(parseDocument(text).contents, []);
  return comments;

  function collect(node: unknown, parents: string[]): void {
    if (!isMap(node) || node.flow) return;
    for (const pair of node.items) {
      const names = [...parents, keyOf(pair)];
      const comment = [above(lines, lineOf(pair)), beside(text, pair)].filter((part) => part !== '').join(' ');
      if (comment !== '') comments.set(names.join('.'), comment);
      collect(pair.value, names);
    }
  }

  function lineOf({ key }: Pair): number {
    return text.slice(0, rangeOf(key)[0]).split('\n').length - 1;
  }
}

function above(lines: string[], line: number): string {
  const found: string[] = [];
  for (let at = line - 1; at >= 0 && /^\s*#/.test(lines[at] ?? ''); at -= 1) found.unshift(textOf(lines[at] ?? ''));
  return found.join(' ');
}

function beside(text: string, { key, value }: Pair): string {
  const [, end] = rangeOf(isMap(value) && !value.flow ? key : value);
  const rest = text.slice(end, text.indexOf('\n', end));
  return /^:?\s+#/.test(rest) ? textOf(rest.replace(/^:/, '')) : '';
}

function textOf(line: string): string {
  return line.replace(/^\s*#\s?/, '').trim();
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function rangeOf(node: unknown): Range {
  const { range } = node as { range?: Range | null };
  if (!range) throw new Error('The parser gave a node no position.');
  return range;
}
