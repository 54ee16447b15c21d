import { performance } from 'node:perf_hooks';

/** Seconds that have passed, on the clock that nobody sets. */
export function startStopwatch(): () => number {
  const startedAtMs = performance.now();
  return () => (performance.now() - startedAtMs) / 1_000;
}
