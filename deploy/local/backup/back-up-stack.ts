import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { dataFolderAt } from '../data-folder';
import type { Stack } from '../stack-file';
import { StartProblem } from '../start-problem';
import { takeBaseBackup } from './base-backup';
import { copyTree } from './copy-tree';

/**
 * Copies the data folder of a running stack; `npm start` on the copy continues from this moment. The broker's store is left
 * out, because it may be lost. Objects are copied after the rows, so that every object named by a row exists. The copy gets its
 * final name only when it is complete: an incomplete copy must not look like a backup.
 */
export async function backUpStack(dataDir: string, target: string): Promise<void> {
  const partial = `${target}.partial`;
  const [from, to] = [dataFolderAt(dataDir), dataFolderAt(partial)];
  if (existsSync(partial)) throw new StartProblem(`${partial} is left over from a failed backup: remove it.`);
  if (existsSync(target)) throw new StartProblem(`${target} exists already: choose a new folder for the backup.`);
  const stack = await readStack(from.stack);
  if (!existsSync(from.postgres))
    throw new StartProblem('The database is not one of the local stack: back it up with its own tools.');
  await mkdir(partial, { recursive: true, mode: 0o700 });
  await takeBaseBackup(stack.database_url, from.postgres, to.postgres);
  for (const folder of [from.objects, path.join(from.root, 'config')].filter(existsSync))
    await copyTree(folder, path.join(partial, path.basename(folder)), () => true);
  for (const file of [from.secrets, from.demoAccount].filter(existsSync))
    await copyFile(file, path.join(partial, path.basename(file)));
  await rename(partial, target);
}

async function readStack(file: string): Promise<Stack> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null)
    throw new StartProblem('No stack runs on this data folder: copy the folder itself, for example with cp -a.');
  return JSON.parse(text) as Stack;
}
