import { readFileSync, unlinkSync } from 'node:fs';
import { ConfigError } from '../config/config-error';
import type { CrashConfig } from './crash.config';
import { type CrashOrder, parseCrashOrder } from './crash-order';
import type { CrashPoint } from './crash-points';

/** Whether the process must end at this point. Null in every process that is not started by a test. */
let isTheEnd: ((point: CrashPoint) => boolean) | null = null;

/** A point where a test may kill the process, as suddenly as a power cut. */
export function crashPoint(point: CrashPoint): void {
  if (isTheEnd?.(point)) process.kill(process.pid, 'SIGKILL');
}

/** @throws ConfigError if a crash is set outside of a test, or at a point that does not exist. */
export function armCrashPoints({ nodeEnv, crashAt, crashAtFile }: CrashConfig): void {
  if (crashAt === '' && crashAtFile === '') return;
  const name = crashAt === '' ? 'CRASH_AT_FILE' : 'CRASH_AT';
  if (nodeEnv !== 'test') throw new ConfigError(`${name}: is for tests, which set NODE_ENV to test`);
  const standing = parseCrashOrder(crashAt);
  if (crashAt !== '' && !standing)
    throw new ConfigError(`CRASH_AT: there is no crash point ${JSON.stringify(crashAt)}`);
  const times = new Map<CrashPoint, number>();
  isTheEnd = (point) => {
    const order = standing ?? readOrder(crashAtFile);
    if (order?.point !== point) return false;
    const time = (times.get(point) ?? 0) + 1;
    times.set(point, time);
    return time >= order.time && (standing !== null || remove(crashAtFile));
  };
}

function readOrder(file: string): CrashOrder | null {
  try {
    return parseCrashOrder(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** If several processes reach the point at once, only the one whose unlink succeeds ends. */
function remove(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}
