import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { explainFullDisk } from './disk-space';
import { errorCode } from './error-code';
import { makeFolder } from './make-folder';
import { StartProblem } from './start-problem';

const LARGEST_LOG_BYTES = 10 * 1024 * 1024;

/** Paths in a data folder. */
export interface DataFolder {
  root: string;
  postgres: string;
  /** JetStream's store; it may be deleted at any time. */
  nats: string;
  natsConfig: string;
  objects: string;
  logs: string;
  secrets: string;
  demoAccount: string;
  stack: string;
  runRecord: string;
}

/** Creates the data folder, with access for its owner only. */
export async function openDataFolder(root: string): Promise<DataFolder> {
  const folder = dataFolderAt(root);
  try {
    for (const needed of [root, folder.objects, folder.logs]) await makeFolder(needed, 0o700);
    const trial = path.join(root, 'trial');
    await writeFile(trial, '');
    await rm(trial);
  } catch (error) {
    throw new StartProblem(
      explainFullDisk(error) ??
        `Cannot write to the data folder ${root} (${errorCode(error) ?? String(error)}): make it writable for you, or set KINORA_DATA_DIR to another folder.`,
    );
  }
  return folder;
}

/** The log of a process. */
export function logFile(folder: DataFolder, name: string): string {
  return path.join(folder.logs, `${name}.log`);
}

/** Paths in the data folder; the files need not exist yet. */
export function dataFolderAt(root: string): DataFolder {
  return {
    root,
    postgres: path.join(root, 'postgres'),
    nats: path.join(root, 'nats'),
    natsConfig: path.join(root, 'nats.conf'),
    objects: path.join(root, 'objects'),
    logs: path.join(root, 'logs'),
    secrets: path.join(root, 'secrets.json'),
    demoAccount: path.join(root, 'demo-account.json'),
    stack: path.join(root, 'stack.json'),
    runRecord: path.join(root, 'running.json'),
  };
}

/** Rotates large logs; one earlier log of each process is kept. */
export async function rotateLogs({ logs }: DataFolder): Promise<void> {
  for (const file of (await readdir(logs)).filter((name) => name.endsWith('.log'))) {
    const log = path.join(logs, file);
    if ((await stat(log)).size > LARGEST_LOG_BYTES) await rename(log, `${log}.1`);
  }
}
