import { readFileSync, unlinkSync } from 'node:fs';
import { ConfigError } from '../config/config-problem';
import { CRASH_POINTS, type CrashPoint } from './crash-points';
import type { CrashConfig } from './crash.config';

/** The crash point, and at which pass through it the process ends. */
export interface CrashOrder {
  point: CrashPoint;
  time: number;
}

/** Parses `<point>` or `<point>:<n>`. Null for anything else. */
export function parseCrashOrder(text: string): CrashOrder | null {
  const [, name, time = '1'] = /^([a-z_.]+)(?::([1-9]\d*))?$/.exec(text.trim()) ?? [];
  const point = CRASH_POINTS.find((known) => known === name);
  return point === undefined ? null : { point, time: Number(time) };
}

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
