import { existsSync } from 'node:fs';
import { chown, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inheritedPath } from '../processes/process-spec';
import { RunningProcess } from '../processes/running-process';
import { startFailure } from '../processes/until-ready';
import type { ServerUser } from './postgres-binaries';

/** The data folder of a PostgreSQL server, with its programs and user. */
export interface PostgresCluster {
  binDir: string;
  folder: string;
  user: ServerUser | null;
  logFile: string;
  env: NodeJS.ProcessEnv;
}

export const SUPERUSER = 'postgres';

/** Creates the data folder once. An incomplete one is created again. */
export async function ensurePostgresCluster(cluster: PostgresCluster, password: string): Promise<void> {
  const { folder, user } = cluster;
  if (existsSync(folder)) return;
  const draft = `${folder}.new`;
  const passwordFile = `${folder}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) await Promise.all([draft, passwordFile].map((file) => chown(file, user.uid, user.gid)));
  await runInitdb(cluster, draft, passwordFile);
  await rm(passwordFile);
  await rename(draft, folder);
  await syncFolder(path.dirname(folder));
}

async function runInitdb(cluster: PostgresCluster, draft: string, passwordFile: string): Promise<void> {
  const { binDir, user, env, logFile } = cluster;
  const command = {
    name: 'initdb',
    command: path.join(binDir, 'initdb'),
    args: [
      `--pgdata=${user ? inheritedPath(0) : draft}`,
      `--pwfile=${user ? inheritedPath(1) : passwordFile}`,
      `--username=${SUPERUSER}`,
      '--auth=scram-sha-256',
      // By default, a machine without a locale gets SQL_ASCII, which stores any bytes as text.
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ],
    env,
    logFile,
    stopSignal: 'SIGTERM' as const,
    ...(user && { user, inherited: [draft, passwordFile] }),
  };
  const initdb = await RunningProcess.start(command);
  const { code } = await initdb.exited;
  if (code !== 0) throw await startFailure(command);
}

/** Syncs the folder. Otherwise a power cut could undo the rename after jobs were stored in the new database. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
