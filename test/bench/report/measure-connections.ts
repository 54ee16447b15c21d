import type { Stack } from '../../../deploy/local/stack-file';
import { type LoadResult, runLoad } from '../load';
import { type Measured, measureInRounds } from '../rounds';
import { ComparedRequests } from './compared-requests';
import type { Line } from './line-chart';

const CONNECTIONS = [1, 4, 8, 16, 32, 64, 128];
const ROUNDS = 3;
const ROUND_MS = 1_500;

export interface ByConnections {
  throughput: Line[];
  p50Ms: Line[];
  p99Ms: Line[];
}

/** Measures creates and reads with a growing number of connections, interleaved with the floor. */
export async function measureConnections(stack: Stack): Promise<ByConnections> {
  const requests = await ComparedRequests.open(stack, Math.max(...CONNECTIONS));
  const results: { x: number; measured: Measured }[] = [];
  try {
    // A read needs an existing job.
    await requests.create();
    for (const clients of CONNECTIONS) {
      const loads = Object.entries(requests.byName).map(
        ([name, work]) => [name, () => runLoad({ clients, durationMs: ROUND_MS, work })] as const,
      );
      results.push({ x: clients, measured: await measureInRounds(ROUNDS, Object.fromEntries(loads)) });
    }
  } finally {
    await requests.close();
  }
  const linesOf = (figure: keyof LoadResult): Line[] =>
    Object.keys(requests.byName).map((name) => ({
      name,
      points: results.map(({ x, measured }) => ({ x, y: measured[name]?.[figure] ?? Number.NaN })),
    }));
  return { throughput: linesOf('perSecond'), p50Ms: linesOf('p50Ms'), p99Ms: linesOf('p99Ms') };
}
