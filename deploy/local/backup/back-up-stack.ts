import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { dataFolderAt } from '../data-folder';
import type { Stack } from '../stack-file';
import { StartProblem } from '../start-problem';
import { takeBaseBackup } from './base-backup';
import { copyTree } from './copy-tree';

/**
 * Makes a data folder out of that of a running stack: `npm start` on it goes on from this moment. The broker's store is left
 * out, for it can be lost. Objects are copied after the rows, so that each that a row names is there. It has its name when it is
 * whole: what a failure leaves must not look like a backup.
 */
export async function backUpStack(dataDir: string, target: string): Promise<void> {
  const partial = `${target}.partial`;
  const [from, to] = [dataFolderAt(dataDir), dataFolderAt(partial)];
  if (existsSync(partial)) throw new StartProblem(`${partial} is what a backup that failed has left: remove it.`);
  if (existsSync(target)) throw new StartProblem(`${target} is there already: a backup has a folder of its own.`);
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
    throw new StartProblem('No stack runs on this data folder: a folder that nobody uses is copied as it is.');
  return JSON.parse(text) as Stack;
}
