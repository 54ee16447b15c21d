import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { RUNBOOK } from '../../deploy/build/rules';
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

interface ProgramRun {
  page: string;
  /** The name that the page gives the program. */
  program: string;
  /** What the program reads, by name. */
  files: Record<string, Buffer>;
  env: NodeJS.ProcessEnv;
  output: string;
}

/** Runs a program of a page as a reader does, in a folder of its own, and returns what it writes. */
export async function runDocumentedProgram({ page, program, files, env, output }: ProgramRun): Promise<Buffer> {
  const block = (await codeBlocks(page)).find(({ place }) => place === program);
  if (!block) throw new Error(`${page} has no program ${program}.`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-program-'));
  try {
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    await writeFile(path.join(folder, program), block.code);
    for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
    await promisify(execFile)(process.execPath, [program], { cwd: folder, env: { ...process.env, ...env } });
    return await readFile(path.join(folder, output));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What operators follow in an incident. */
const INCIDENT_PAGES = [RUNBOOK, 'docs/operate/point-in-time.md', 'docs/data.md', 'docs/operate/README.md'];

/** A command in a sentence: the name of a program, then its arguments. */
const IN_SENTENCE = /`((?:kinora|npm run --silent kinora|nats|psql|kubectl|docker|openssl|df|pg_\w+) [^`]+)`/g;

/** Every command of a page, in a block or in a sentence, each once. */
export async function commandsOn(page: string): Promise<string[]> {
  const text = await readFile(path.join(ROOT, page), 'utf8');
  const mentioned = [...text.matchAll(IN_SENTENCE)].map(([, command = '']) => command);
  return [...new Set([...(await shellLines(page)), ...mentioned])];
}

/** Those of all these pages that begin with the words. */
export async function incidentCommands(begin: string): Promise<string[]> {
  const commands = (await Promise.all(INCIDENT_PAGES.map(commandsOn))).flat();
  return [...new Set(commands)].filter((command) => command.startsWith(begin));
}
