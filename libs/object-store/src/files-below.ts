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
