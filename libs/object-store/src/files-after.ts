import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface FoundFile {
  /** Its path below the folder, with `/` between its parts. */
  name: string;
  bytes: number;
  modifiedAt: Date;
}

/** All files below a folder, read lazily; none if the folder does not exist. */
export async function* filesBelow(folder: string, inside = ''): AsyncGenerator<FoundFile> {
  for await (const entry of entriesOf(join(folder, inside))) {
    const name = join(inside, entry.name);
    if (entry.isDirectory()) yield* filesBelow(folder, name);
    const stats = entry.isFile() ? await orNullIfGone(stat(join(folder, name))) : null;
    if (stats) yield { name, bytes: stats.size, modifiedAt: stats.mtime };
  }
}

export async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const opened = await orNullIfGone(opendir(folder));
  if (opened) yield* opened;
}

/** A file that another process deletes during the walk counts as absent. */
export async function orNullIfGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The next files below a folder after a name, at most `limit`: folder by folder, each in the order of its names. A
 * folder may hold a million names; at most two pages of them are kept in memory.
 */
export async function filesAfter(folder: string, after: string | null, limit: number): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  await collect(folder, '', after?.split('/') ?? [], limit, found);
  return found;
}

/** @param after The part of the name that is below this folder; empty for the whole folder. */
async function collect(
  folder: string,
  inside: string,
  [first = '', ...rest]: string[],
  limit: number,
  found: FoundFile[],
): Promise<void> {
  let behind = first;
  // The walk continues inside the first part of the name, if the name has more parts.
  if (rest.length > 0) await collect(folder, join(inside, first), rest, limit, found);
  while (found.length < limit) {
    const names = await namesAfter(join(folder, inside), behind, limit);
    for (const { name, isFolder } of names) {
      if (found.length === limit) return;
      const path = join(inside, name);
      if (isFolder) await collect(folder, path, [], limit, found);
      else {
        const stats = await orNullIfGone(stat(join(folder, path)));
        if (stats) found.push({ name: path, bytes: stats.size, modifiedAt: stats.mtime });
      }
    }
    if (names.length < limit) return;
    behind = names.at(-1)?.name ?? '';
  }
}

interface Name {
  name: string;
  isFolder: boolean;
}

/** The first names of a folder after the given one. */
async function namesAfter(folder: string, behind: string, count: number): Promise<Name[]> {
  let names: Name[] = [];
  let last = '';
  const keepFirst = (): void => {
    names = names.sort((one, other) => (one.name < other.name ? -1 : 1)).slice(0, count);
    if (names.length === count) last = names.at(-1)?.name ?? '';
  };
  for await (const entry of entriesOf(folder)) {
    const { name } = entry;
    if (name <= behind || (last !== '' && name > last)) continue;
    if (entry.isFile() || entry.isDirectory()) names.push({ name, isFolder: entry.isDirectory() });
    if (names.length === 2 * count) keepFirst();
  }
  keepFirst();
  return names;
}
