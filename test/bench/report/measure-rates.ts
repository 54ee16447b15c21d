import type { Stack } from '../../../deploy/local/stack-file';
import { runAtFixedRate } from '../fixed-rate';
import { percentile } from '../load';
import { ComparedRequests } from './compared-requests';

export const RATES = [50, 250, 500];
const CONNECTIONS = 128;
const WARM_UP_PER_SECOND = 50;
const WARM_UP_MS = 3_000;
const DURATION_MS = 8_000;

/** For each kind of request and each rate. */
export type AtRates = Record<string, { p50Ms: number; p99Ms: number }[]>;

/** Measures the latency of requests at fixed rates (open loop). */
export async function measureRates(stack: Stack): Promise<AtRates> {
  const requests = await ComparedRequests.open(stack, CONNECTIONS);
  const results: AtRates = {};
  try {
    await latenciesOf(() => requests.create(), WARM_UP_PER_SECOND, WARM_UP_MS);
    for (const perSecond of RATES)
      for (const [name, work] of Object.entries(requests.byName)) {
        const sorted = await latenciesOf(work, perSecond, DURATION_MS);
        (results[name] ??= []).push({ p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) });
      }
  } finally {
    await requests.close();
  }
  return results;
}

/** In ascending order. */
async function latenciesOf(work: () => Promise<unknown>, perSecond: number, durationMs: number): Promise<number[]> {
  const latenciesMs: number[] = [];
  const problems: unknown[] = [];
  const onLatency = (latencyMs: number): unknown => latenciesMs.push(latencyMs);
  await runAtFixedRate({ perSecond, durationMs, work, onLatency, onError: (error) => problems.push(error) });
  if (problems.length > 0) throw problems[0];
  return latenciesMs.sort((one, other) => one - other);
}
