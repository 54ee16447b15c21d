import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CodeBlock } from '../support/guide-steps';

/** A change that a guide describes step by step. */
export interface Walk {
  title: string;
  /** How many files the guide says that one edits, generated files and specs aside. */
  filesByHand: number;
  blocks: CodeBlock[];
}

interface Hunk {
  before: string;
  after: string;
}

const COUNT = /\*\*(\d+) files by hand\*\*/;

/** The sections of a page that say how many files they touch by hand. */
export function walksOf(page: string, blocksIn: (text: string) => CodeBlock[]): Walk[] {
  return page.split(/^(?=## )/m).flatMap((section) => {
    const count = COUNT.exec(section)?.[1];
    const title = /^## (.+)$/m.exec(section)?.[1];
    if (count === undefined || title === undefined) return [];
    return [{ title, filesByHand: Number(count), blocks: blocksIn(section) }];
  });
}

/**
 * Makes a step that is a new file or a change of one. A `*` stands for the part of a name that a generator chose.
 * @returns the file. @throws Error where the file does not fit the change any more
 */
export async function applySnippet(folder: string, { language, place, code }: CodeBlock): Promise<string> {
  if (place === null) throw new Error(`A snippet of ${language} names no file.`);
  const named = await findFile(folder, place);
  const file = path.join(folder, named);
  if (language !== 'diff') {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, code, { flag: 'wx' });
    return named;
  }
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    hunksOf(code).reduce((source, hunk) => applyHunk(source, hunk, place), text),
  );
  return named;
}

async function findFile(folder: string, place: string): Promise<string> {
  const [before = '', after] = path.basename(place).split('*');
  if (after === undefined) return place;
  const names = await readdir(path.join(folder, path.dirname(place)));
  const [name, ...others] = names.filter((each) => each.startsWith(before) && each.endsWith(after));
  if (name === undefined || others.length > 0) throw new Error(`${place} does not name exactly one file.`);
  return path.join(path.dirname(place), name);
}

function hunksOf(diff: string): Hunk[] {
  return diff.split(/^@@\n/m).map((hunk) => {
    const lines = hunk.replace(/\n$/, '').split('\n');
    const side = (marks: string): string =>
      lines
        .filter((line) => line === '' || marks.includes(line.charAt(0)))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    return { before: side(' -'), after: side(' +') };
  });
}

/** Its lines must stand in the file once: otherwise a reader would not know where. */
function applyHunk(source: string, { before, after }: Hunk, place: string): string {
  const at = source.startsWith(before) ? 0 : source.indexOf(`\n${before}`) + 1;
  const isThere = source.startsWith(before, at) && (at > 0 || source.startsWith(before));
  if (!isThere || source.indexOf(`\n${before}`, at) >= 0)
    throw new Error(`These lines do not stand in ${place} exactly once:\n${before}`);
  return source.slice(0, at) + after + source.slice(at + before.length);
}
