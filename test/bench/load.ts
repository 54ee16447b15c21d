import { performance } from 'node:perf_hooks';

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Repeats the work on several concurrent queues for a given time (closed loop). */
export async function runLoad(options: {
  clients: number;
  durationMs: number;
  work: () => Promise<unknown>;
}): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + options.durationMs;
  const client = async (): Promise<void> => {
    while (performance.now() < endAt) {
      const begunAt = performance.now();
      await options.work();
      latenciesMs.push(performance.now() - begunAt);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  const seconds = (performance.now() - startedAt) / 1_000;
  const sorted = latenciesMs.sort((one, other) => one - other);
  return { perSecond: sorted.length / seconds, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

/** Does the work a given number of times, on several concurrent queues. */
export async function repeat(options: {
  clients: number;
  times: number;
  work: (index: number) => Promise<unknown>;
}): Promise<void> {
  let begun = 0;
  const client = async (): Promise<void> => {
    while (begun < options.times) await options.work(begun++);
  };
  await Promise.all(Array.from({ length: options.clients }, client));
}

/** A percentile of figures in ascending order. */
export function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}

/** The medians of some rounds, for each figure separately. */
export function medianOf(rounds: LoadResult[]): LoadResult {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  };
}

export function median(figures: number[]): number {
  return percentile(
    [...figures].sort((one, other) => one - other),
    0.5,
  );
}
