import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

const PID_LINE = 0;
const STATUS_LINE = 7;

/** Whether the server takes connections; it says so in the file that is its lock, as `pg_ctl` reads it. */
export async function isPostmasterReady(folder: string, pid: number): Promise<boolean> {
  const lines = await readLines(folder);
  return lines[PID_LINE] === String(pid) && lines[STATUS_LINE]?.trim() === 'ready';
}

/**
 * After a crash the file stays. PostgreSQL sees that its server is gone, unless the number has meanwhile gone to another
 * process of the same user, which happens in containers, where numbers start afresh: then it would refuse to start.
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
