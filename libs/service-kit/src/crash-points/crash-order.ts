import { CRASH_POINTS, type CrashPoint } from './crash-points';

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
