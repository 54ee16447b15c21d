import type { Stack } from '../../../deploy/local/stack-file';
import { createBusyAccounts } from '../busy-accounts';
import { StatementFloor } from '../floors/statement-floor';
import { KinoraClient } from '../kinora-client';
import { type LoadResult, medianOf, runLoad } from '../load';
import type { Line } from './line-chart';

const CONNECTIONS = [1, 4, 8, 16, 32, 64, 128];
const ROUNDS = 3;
const ROUND_MS = 1_500;
const FLOOR = 'floor: one SQL statement';

export interface ByConnections {
  throughput: Line[];
  p50Ms: Line[];
  p99Ms: Line[];
}

/** What accepts and reads do as more come at once, beside the floor, interleaved. */
export async function measureConnections({ base_url, nats_url, database_url }: Stack): Promise<ByConnections> {
  const apiKeys = await createBusyAccounts(nats_url, { count: 64, balanceMicros: 1_000_000_000_000 });
  const statement = new StatementFloor(database_url);
  await statement.prepare();
  const client = new KinoraClient(base_url, apiKeys, Math.max(...CONNECTIONS));
  const works = {
    [FLOOR]: () => statement.accept(),
    'POST /images/generations': () => client.create(),
    'GET /jobs/{id}': () => client.getAny(),
  };
  const results: Record<string, { x: number; result: LoadResult }[]> = {};
  try {
    await client.create();
    for (const lanes of CONNECTIONS) {
      const rounds: Record<string, LoadResult[]> = {};
      for (let round = 0; round < ROUNDS; round++)
        for (const [name, work] of Object.entries(works))
          (rounds[name] ??= []).push(await runLoad({ lanes, durationMs: ROUND_MS, work }));
      for (const [name, measured] of Object.entries(rounds))
        (results[name] ??= []).push({ x: lanes, result: medianOf(measured) });
    }
  } finally {
    await Promise.all([client.close(), statement.close()]);
  }
  const linesOf = (figure: keyof LoadResult): Line[] =>
    Object.entries(results).map(([name, points]) => ({
      name,
      points: points.map(({ x, result }) => ({ x, y: result[figure] })),
    }));
  return { throughput: linesOf('perSecond'), p50Ms: linesOf('p50Ms'), p99Ms: linesOf('p99Ms') };
}
