// Shared by the generators of this folder: refusing, writing, and registering in existing files.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export function fail(reason) {
  console.error(reason);
  process.exit(1);
}

export const inRoot = (file) => existsSync(path.join(ROOT, file));
export const classNameOf = (name) => name.replaceAll(/(^|-)([a-z0-9])/g, (_, __, letter) => letter.toUpperCase());
export const variableOf = (name) => name.replaceAll(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** Writes a new file in the format of `npm run format`. */
export async function write(file, source) {
  const target = path.join(ROOT, file);
  const settings = await resolveConfig(path.join(ROOT, 'package.json'));
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, await format(source, { ...settings, filepath: target }));
  console.log(file);
}

/** Changes a file by replacements. Each `[pattern, text]` must match, so that no replacement is skipped silently. */
export async function change(file, ...replacements) {
  let source = await readFile(path.join(ROOT, file), 'utf8');
  for (const [pattern, text] of replacements) {
    if (source.search(pattern) < 0) fail(`${file} has no place for ${text.trim()}: nothing matches ${pattern}.`);
    source = source.replace(pattern, text);
  }
  await write(file, source);
}

/** The last import of a file, after which `change` adds another one. */
export const LAST_IMPORT = /(?<=^import [^;]*;\n)(?!import )/m;
