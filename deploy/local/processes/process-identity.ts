import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Identifies one process for ever: another process may get the same id later, but not with the same start time. */
export interface ProcessIdentity {
  pid: number;
  started: string;
}

/** Null if no such process runs. */
export function identify(pid: number): ProcessIdentity | null {
  const started = existsSync('/proc/self/stat') ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return started === null ? null : { pid, started };
}

export function isAlive({ pid, started }: ProcessIdentity): boolean {
  return identify(pid)?.started === started;
}

function startTimeFromProc(pid: number): string | null {
  try {
    // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticksSinceBoot = fields[18];
    if (state === 'Z' || ticksSinceBoot === undefined) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticksSinceBoot}`;
  } catch {
    return null;
  }
}

function startTimeFromPs(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
