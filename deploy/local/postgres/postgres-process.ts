import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { inheritedPath, type ProcessSpec } from '../processes/process-spec';
import type { PostgresCluster } from './postgres-cluster';

const PID_LINE = 0;
const STATUS_LINE = 7;

/** Whether the server accepts connections. Its lock file contains the status, which `pg_ctl` reads as well. */
export async function isPostmasterReady(folder: string, pid: number): Promise<boolean> {
  const lines = await readLines(folder);
  return lines[PID_LINE] === String(pid) && lines[STATUS_LINE]?.trim() === 'ready';
}

/**
 * After a crash the file stays. PostgreSQL detects that its server is gone, unless another process of the same user has the
 * same process id by now. That happens in containers, where ids start at 1 again, and PostgreSQL would then refuse to start.
 */
export async function removeForeignPostmasterFile(folder: string): Promise<void> {
  const pid = Number((await readLines(folder))[PID_LINE]);
  const programName = `/proc/${pid}/comm`;
  if (!existsSync(programName) || readFileSync(programName, 'utf8').trim() === 'postgres') return;
  await rm(path.join(folder, 'postmaster.pid'), { force: true });
}

async function readLines(folder: string): Promise<string[]> {
  const content = await readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  return content.split('\n');
}

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
