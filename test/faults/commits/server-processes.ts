import { readFile, readdir } from 'node:fs/promises';
import { waitFor } from '@kinora/testing';

export interface ServerProcess {
  pid: number;
  name: string;
}

interface ProcessStatus extends ServerProcess {
  parent: number;
  /** One letter, as in `/proc/<pid>/stat`. */
  state: string;
}

/** A process that is stopped, ended or in an uninterruptible system call executes none of its code until it is continued. */
const STANDING = /[TtDZX]/;

export async function childrenOf(parent: number): Promise<ServerProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(statusOf));
  return all.filter((one) => one?.parent === parent) as ServerProcess[];
}

/** Stops the processes (SIGSTOP), and waits until the kernel has. */
export async function stopAll(pids: number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGSTOP');
  await untilAll(pids, (status) => STANDING.test(status.state));
}

/** Kills the processes (SIGKILL), and waits until they have ended. */
export async function killAll(pids: number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGKILL');
  await untilAll(pids, ({ state }) => state === 'Z');
}

/** A process that has ended gets none. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function untilAll(pids: number[], isDone: (status: ProcessStatus) => boolean): Promise<void> {
  await waitFor(async () =>
    (await Promise.all(pids.map(statusOf))).every((status) => status === null || isDone(status)),
  );
}

/** Null where the process has ended. */
async function statusOf(pid: number): Promise<ProcessStatus | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The name stands in parentheses, and may hold some itself.
  const [from, to] = [stat.indexOf('('), stat.lastIndexOf(')')];
  const [state = '', parent] = stat.slice(to + 2).split(' ');
  return { pid, name: stat.slice(from + 1, to), state, parent: Number(parent) };
}
