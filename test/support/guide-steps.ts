import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';

/** A block of code in a guide: its language, and the word after it, which is a file name or a terminal. */
export interface CodeBlock {
  language: string;
  place: string | null;
  code: string;
}

/** All blocks of a page that a reader can copy unchanged. */
export async function codeBlocks(page: string): Promise<CodeBlock[]> {
  return blocksIn(await readFile(path.join(ROOT, page), 'utf8'));
}

/** Leaves out blocks with an ellipsis, which a reader must fill in. */
export function blocksIn(text: string): CodeBlock[] {
  const fences = text.matchAll(/^(?<indent> *)```(?<language>\w+)(?: (?<place>\S+))?\n(?<code>.*?)^\k<indent>```$/gms);
  return [...fences].flatMap(({ groups }) => {
    const { indent = '', language = '', place = null, code = '' } = groups ?? {};
    const own = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return own.includes('…') ? [] : [{ language, place, code: own }];
  });
}

/** The commands of a page, one a line. */
export async function shellLines(page: string): Promise<string[]> {
  const blocks = (await codeBlocks(page)).filter(({ language }) => language === 'sh');
  return blocks.flatMap(({ code }) =>
    code
      .replaceAll(/\\\n\s*/g, '')
      .trimEnd()
      .split('\n'),
  );
}

/** Splits as a shell does, for commands without substitutions. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, other, bare]) => one ?? other ?? bare ?? '');
}

/**
 * One script with the steps of a reader: it writes the files, opens the terminals, and continues once each terminal prints
 * something.
 */
export function toScript(blocks: CodeBlock[]): string {
  const steps = blocks.map(({ language, place, code }) => {
    if (language !== 'sh') return `cat > '${place}' <<'END_OF_FILE'\n${code}END_OF_FILE\n`;
    if (place === null) return code;
    return `( ${code.trimEnd()} ) > '${place}.log' 2>&1 &\nuntil test -s '${place}.log'; do sleep 0.1; done\n`;
  });
  // Each terminal is a process group of its own, so that its processes end with the script.
  const begin = `set -meuo pipefail\ntrap 'for terminal in $(jobs -p); do kill -- "-$terminal" || true; done' EXIT\n`;
  return begin + steps.join('\n');
}
