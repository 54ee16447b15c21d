import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

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
