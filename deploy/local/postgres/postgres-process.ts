import path from 'node:path';
import { inheritedPath, type ProcessSpec } from '../processes/process-spec';
import type { ServerUser } from './postgres-user';

export interface PostgresOptions {
  binDir: string;
  folder: string;
  port: number;
  user: ServerUser | null;
  logFile: string;
  env: NodeJS.ProcessEnv;
  /** Extra server settings. */
  settings?: Record<string, string>;
}

/** Six services with a pool each, some of them several times, and the tools of a curious developer. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A path in a deep data folder can be longer than a socket's name may be; loopback is enough.
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** How the server of a data folder is started; SIGINT is its fast shutdown, which does not wait for clients to leave. */
export function postgresProcess(options: PostgresOptions): ProcessSpec {
  const { binDir, folder, port, user, logFile, env } = options;
  const settings = Object.entries({ ...SETTINGS, port: String(port), ...options.settings });
  return {
    name: 'postgres',
    command: path.join(binDir, 'postgres'),
    args: ['-D', user ? inheritedPath(0) : folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env,
    logFile,
    stopSignal: 'SIGINT',
    ...(user && { user, inherited: [folder] }),
  };
}
