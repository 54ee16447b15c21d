import { chown, copyFile, lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../error-code';

/** Copies a folder that is written to meanwhile: what has gone by the time it is looked at was not needed any more. */
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

/** The same owner as another file has; only root has files of others to give. */
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
