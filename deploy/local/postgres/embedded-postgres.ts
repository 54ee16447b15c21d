import type { ProcessSpec } from '../processes/process-spec';
import { installPostgresBinaries } from './postgres-binaries';
import { ensurePostgresCluster, SUPERUSER } from './postgres-cluster';
import { postgresProcess } from './postgres-process';
import { postgresUser } from './postgres-user';
import { removeForeignPostmasterFile } from './postmaster-file';

export interface EmbeddedPostgresOptions {
  folder: string;
  logFile: string;
  cacheDir: string;
  port: number;
  /** Of the superuser; it counts when the data folder is made. */
  password: string;
  env: NodeJS.ProcessEnv;
  settings?: Record<string, string>;
}

/**
 * A PostgreSQL server of our own, on loopback. `run` starts it and resolves when it is ready.
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
  await run(postgresProcess(cluster, port, settings));
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
}
