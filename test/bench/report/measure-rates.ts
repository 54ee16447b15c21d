import type { Stack } from '../../../deploy/local/stack-file';
import { createBusyAccounts } from '../busy-accounts';
import { runAtFixedRate } from '../fixed-rate';
import { StatementFloor } from '../floors/statement-floor';
import { KinoraClient } from '../kinora-client';
import { percentile } from '../load';

export const RATES = [50, 250, 500];
const CONNECTIONS = 128;
const WARM_UP_MS = 3_000;
const DURATION_MS = 8_000;

/** Of each kind of request, at each of the rates. */
export type AtRates = Record<string, { p50Ms: number; p99Ms: number }[]>;

/** How long requests take where so many come every second, whatever became of those before. */
export async function measureRates({ base_url, nats_url, database_url }: Stack): Promise<AtRates> {
  const apiKeys = await createBusyAccounts(nats_url, { count: 64, balanceMicros: 1_000_000_000_000 });
  const statement = new StatementFloor(database_url);
  await statement.prepare();
  const client = new KinoraClient(base_url, apiKeys, CONNECTIONS);
  const works = {
    'floor: one SQL statement': () => statement.accept(),
    'POST /images/generations': () => client.create(),
    'GET /jobs/{id}': () => client.getAny(),
  };
  const results: AtRates = {};
  try {
    await latenciesOf(works['POST /images/generations'], RATES[0] ?? 1, WARM_UP_MS);
    for (const perSecond of RATES)
      for (const [name, work] of Object.entries(works)) {
        const sorted = await latenciesOf(work, perSecond, DURATION_MS);
        (results[name] ??= []).push({ p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) });
      }
  } finally {
    await Promise.all([client.close(), statement.close()]);
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
