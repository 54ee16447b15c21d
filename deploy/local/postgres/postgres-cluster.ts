import { existsSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inheritedPath } from '../processes/process-spec';
import { RunningProcess } from '../processes/running-process';
import type { ServerUser } from './postgres-user';

export interface ClusterOptions {
  binDir: string;
  folder: string;
  user: ServerUser | null;
  password: string;
  logFile: string;
  env: NodeJS.ProcessEnv;
}

export const SUPERUSER = 'postgres';

/** Makes the data folder of a PostgreSQL server, once. A folder that was left half made is made anew. */
export async function ensurePostgresCluster(options: ClusterOptions): Promise<void> {
  const { folder, user } = options;
  if (existsSync(folder)) return;
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const passwordFile = `${folder}.password`;
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  if (user) await Promise.all([draft, passwordFile].map((file) => chown(file, user.uid, user.gid)));
  await runInitdb(draft, passwordFile, options);
  await rm(passwordFile);
  await rename(draft, folder);
  await syncFolder(path.dirname(folder));
}

async function runInitdb(draft: string, passwordFile: string, options: ClusterOptions): Promise<void> {
  const { binDir, user, env, logFile } = options;
  const initdb = await RunningProcess.start({
    name: 'initdb',
    command: path.join(binDir, 'initdb'),
    args: [
      `--pgdata=${user ? inheritedPath(0) : draft}`,
      `--pwfile=${user ? inheritedPath(1) : passwordFile}`,
      `--username=${SUPERUSER}`,
      '--auth=scram-sha-256',
      // Left alone, a machine without a locale would get SQL_ASCII, which stores any bytes as text.
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ],
    env,
    logFile,
    stopSignal: 'SIGTERM',
    ...(user && { user, inherited: [draft, passwordFile] }),
  });
  const { code } = await initdb.exited;
  if (code !== 0) throw new Error(`initdb failed: ${(await readFile(logFile, 'utf8')).trimEnd().split('\n').at(-1)}`);
}

/** Without it, a power cut could undo the rename after jobs were accepted into the new database. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
