import { chown, copyFile, lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../start-problem';

/** Copies a folder while it is written to. Files that disappear during the copy are not needed and are skipped. */
export async function copyTree(from: string, to: string, takes: (name: string) => boolean): Promise<void> {
  const { mode } = await lstat(from);
  await mkdir(to, { recursive: true, mode });
  await giveTo(to, from);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!takes(entry.name)) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await unlessGone(() => copyTree(source, target, takes));
    else if (entry.isFile()) await unlessGone(() => copyOne(source, target));
  }
}

/** Sets the same owner as another file; only root may do so for other users. */
export async function giveTo(file: string, like: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await lstat(like);
  await chown(file, uid, gid);
}

async function copyOne(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  await giveTo(target, source);
}

async function unlessGone(copy: () => Promise<void>): Promise<void> {
  try {
    await copy();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
