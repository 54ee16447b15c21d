import { performance } from 'node:perf_hooks';

/** Returns a function that gives the seconds that have passed, by the monotonic clock. */
export function startStopwatch(): () => number {
  const startedAtMs = performance.now();
  return () => (performance.now() - startedAtMs) / 1_000;
}
