import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { explainFullDisk } from './disk-space';
import { errorCode, StartProblem } from './start-problem';

/**
 * Creates a folder and its missing parents. Node's own recursive mkdir loops for ever below /proc, where mkdir reports a
 * missing parent that exists.
 * @returns whether the folder was missing.
 */
export async function makeFolder(folder: string, mode: number): Promise<boolean> {
  const parent = path.dirname(folder);
  const isOrphan = await stat(parent).then(
    () => false,
    (error: unknown) => errorCode(error) === 'ENOENT',
  );
  if (isOrphan && parent !== folder) await makeFolder(parent, mode);
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

const LARGEST_LOG_BYTES = 10 * 1024 * 1024;

export type DataFolder = ReturnType<typeof dataFolderAt>;

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

export function logFile(folder: DataFolder, name: string): string {
  return path.join(folder.logs, `${name}.log`);
}

/** Paths in the data folder; the files need not exist yet. */
export function dataFolderAt(root: string) {
  return {
    root,
    postgres: path.join(root, 'postgres'),
    /** JetStream's store; it may be deleted at any time. */
    nats: path.join(root, 'nats'),
    natsConfig: path.join(root, 'nats.conf'),
    objects: path.join(root, 'objects'),
    /** E-mail as .eml files, where no mail server is configured. */
    mail: path.join(root, 'mail'),
    logs: path.join(root, 'logs'),
    secrets: path.join(root, 'secrets.json'),
    contentCredentials: path.join(root, 'content-credentials.json'),
    /** For verifiers. */
    contentCredentialsRoot: path.join(root, 'content-credentials-root.pem'),
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

/** Folder that keeps downloads and unpacked programs between runs; it holds nothing durable. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.KINORA_CACHE_DIR) return path.resolve(env.KINORA_CACHE_DIR);
  // The XDG specification says that a relative path is ignored.
  const xdgCache = env.XDG_CACHE_HOME;
  return path.join(xdgCache && path.isAbsolute(xdgCache) ? xdgCache : path.join(os.homedir(), '.cache'), 'kinora');
}

/** Creates a cache folder that other users can read: it holds programs, and some run as another user. */
export async function makeCacheFolder(folder: string): Promise<void> {
  try {
    // With a strict umask the other user could not enter the folder.
    if (await makeFolder(folder, 0o755)) await chmod(folder, 0o755);
  } catch (error) {
    throw new StartProblem(
      `Cannot make the cache folder ${folder} (${errorCode(error) ?? String(error)}): set KINORA_CACHE_DIR to one that you may write to.`,
    );
  }
}
