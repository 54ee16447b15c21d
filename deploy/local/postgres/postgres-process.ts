import path from 'node:path';
import { inheritedPath, type ProcessSpec } from '../processes/process-spec';
import type { PostgresCluster } from './postgres-cluster';
import { isPostmasterReady } from './postmaster-file';

/** Enough for six services with a pool each, some of them in several processes, and a developer's tools. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // No Unix socket: its path in a deep data folder can exceed the limit of a socket's name. Loopback is enough.
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The details of an error quote rows, which contain client data.
  log_error_verbosity: 'terse',
};

/** The process specification of the server. SIGINT is its fast shutdown, which does not wait for clients to disconnect. */
export function postgresProcess(
  cluster: PostgresCluster,
  port: number,
  settings: Record<string, string> = {},
): ProcessSpec {
  const { binDir, folder, user, logFile, env } = cluster;
  const all = Object.entries({ ...SETTINGS, port: String(port), ...settings });
  return {
    name: 'postgres',
    command: path.join(binDir, 'postgres'),
    args: ['-D', user ? inheritedPath(0) : folder, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env,
    logFile,
    stopSignal: 'SIGINT',
    isReady: (pid) => isPostmasterReady(folder, pid),
    ...(user && { user, inherited: [folder] }),
  };
}
