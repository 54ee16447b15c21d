import path from 'node:path';
import { inheritedPath, type ProcessSpec } from '../processes/process-spec';
import type { PostgresCluster } from './postgres-cluster';
import { isPostmasterReady } from './postmaster-file';

/** Six services with a pool each, some of them several times, and the tools of a curious developer. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A path in a deep data folder can be longer than a socket's name may be; loopback is enough.
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The details of an error quote rows, and with them what clients have written.
  log_error_verbosity: 'terse',
};

/** How the server of a cluster is started; SIGINT is its fast shutdown, which does not wait for clients to leave. */
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
