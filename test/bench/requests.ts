// Measures creates and reads against their floors and the goals: `npm run bench`.
import { BenchStack } from './bench-stack';
import { createBusyAccounts } from './busy-accounts';
import { measureCpuPerRequest } from './cpu-per-request';
import { measureDispatchLatency } from './dispatch-latency';
import { FullBackend } from './full-backend';
import { PgbenchFloor } from './pgbench-floor';
import { measureHotAccount } from './hot-account';
import { measureIdleMemory } from './idle-memory';
import { KinoraClient } from './kinora-client';
import { type LoadResult, runLoad } from './load';
import { CREATE_FLOOR, GET_FLOOR, type Report, printReport } from './print-report';
import { measureInRounds } from './rounds';

const CLIENTS = 32;
const ACCOUNTS = 64;
/** Concurrent requests for one account, which all lock the same wallet row. */
const HOT_CLIENTS = [4, 16, 64];
const ROUND_MS = 3_000;
/** The report shows the median of the rounds. */
const ROUNDS = 5;

async function main(): Promise<void> {
  const dispatchLatency = await measureDispatchLatency();
  const backend = await FullBackend.start();
  const stack = await BenchStack.start({}, backend);
  try {
    printReport({ dispatchLatency, ...(await measureStack(stack)) });
    await stack.stop();
  } finally {
    await stack.end();
    backend.close();
  }
}

async function measureStack(stack: BenchStack): Promise<Omit<Report, 'dispatchLatency'>> {
  const bootMs = await stack.restart();
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const described = await stack.describe();
    const memoryMb = await measureIdleMemory(described);
    const { base_url, nats_url, database_url } = described;
    const apiKeys = await createBusyAccounts(nats_url, ACCOUNTS);
    const unpaidKeys = await createBusyAccounts(nats_url, 1, 0);
    const open = <Part extends { close(): Promise<unknown> }>(part: Part): Part => {
      closers.push(() => part.close());
      return part;
    };
    const clientOf = (connections: number, keys = apiKeys): KinoraClient =>
      open(new KinoraClient(base_url, keys, connections));
    const [many, single, unpaid] = [clientOf(CLIENTS), clientOf(1), clientOf(CLIENTS, unpaidKeys)];
    const hot = HOT_CLIENTS.map((clients) => ({ clients, client: clientOf(clients, apiKeys.slice(0, 1)) }));
    const pgbench = await PgbenchFloor.open(database_url);
    if (pgbench) open(pgbench);
    const cpuMs = {
      'accept decision (402, nothing follows)': await measureCpuPerRequest(described, () => unpaid.decide()),
      'accepted job': await measureCpuPerRequest(described, () => many.create()),
      'GET /jobs/{id}': await measureCpuPerRequest(described, () => many.getAny()),
    };
    const load =
      (work: () => Promise<unknown>, clients = CLIENTS) =>
      (): Promise<LoadResult> =>
        runLoad({ clients, durationMs: ROUND_MS, work });
    const measured = await measureInRounds(ROUNDS, {
      ...(pgbench && {
        [CREATE_FLOOR]: () => pgbench.measure('create', CLIENTS, ROUND_MS),
        [GET_FLOOR]: () => pgbench.measure('get', CLIENTS, ROUND_MS),
      }),
      'accepted jobs': load(() => many.create()),
      ...Object.fromEntries(
        hot.map(({ clients, client }) => [
          `accepted jobs, one account, ${clients} at once`,
          load(() => client.create(), clients),
        ]),
      ),
      'GET /jobs/{id}': load(() => many.getAny()),
      'accepted jobs, one connection': load(() => single.create(), 1),
      'GET /jobs/{id}, one connection': load(() => single.getAny(), 1),
    });
    return { measured, bootMs, memoryMb, cpuMs, hotAccount: await measureHotAccount(described) };
  } finally {
    await Promise.allSettled(closers.map((close) => close()));
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
