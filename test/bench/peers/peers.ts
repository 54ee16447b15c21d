// Runs beside Kinora, on the same servers and in the same minutes, what its job path would otherwise be built on, and
// prints a table in Markdown: `npm run bench:peers`. Queues take a job and nothing else: no HTTP, key, price or screening.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { BenchStack } from '../bench-stack';
import { createBusyAccounts } from '../busy-accounts';
import { type DispatchLatency, measureDispatchLatency } from '../dispatch-latency';
import { KinoraClient } from '../kinora-client';
import { type LoadResult, medianOf, runLoad } from '../load';
import { StatementFloor } from '../floors/statement-floor';
import { startBullmq } from './bullmq';
import { startGraphileWorker } from './graphile-worker';
import { measureQueue } from './measure-queue';
import { startPgBoss } from './pg-boss';
import { PlainClient } from './plain-client';
import type { QueuePeer } from './queue-peer';
import { RedisServer } from './redis-server';

const LANES = 32;
const ROUNDS = 5;
const ROUND_MS = 3_000;

interface Row {
  what: string;
  accepted: LoadResult;
  begunPerSecond?: number;
  pickupP50Ms?: number;
  pickupP99Ms?: number;
}

async function main(): Promise<void> {
  const dispatch = (await measureDispatchLatency())['alone'];
  const stack = await BenchStack.start();
  const redis = await RedisServer.start();
  try {
    const { base_url, nats_url, database_url } = await stack.describe();
    const rows = [
      ...(await measureQueues(database_url, redis)),
      ...(await measureServices({ base_url, nats_url, database_url }, dispatch)),
    ];
    printTable(rows);
    if (!redis)
      console.log('\nBullMQ did not run: there is no redis-server on the path (apt-get install redis-server).');
  } finally {
    await redis?.stop();
    await stack.end();
  }
}

async function measureQueues(databaseUrl: string, redis: RedisServer | null): Promise<Row[]> {
  const queues: [string, () => Promise<QueuePeer>][] = [
    ['pg-boss 10 (enqueue only)', async () => startPgBoss(await createDatabase(databaseUrl))],
    ['graphile-worker 0.16 (enqueue only)', async () => startGraphileWorker(await createDatabase(databaseUrl))],
  ];
  if (redis) queues.push(['BullMQ 5 on Redis 7, fsync always (enqueue only)', () => startBullmq(redis.port)]);
  const rows: Row[] = [];
  for (const [what, start] of queues) {
    const { enqueued, ...figures } = await measureQueue(start);
    rows.push({ what, accepted: enqueued, ...figures });
  }
  return rows;
}

/** Interleaved, so that a noisy moment of the machine falls on all of them. */
async function measureServices(
  urls: { base_url: string; nats_url: string; database_url: string },
  dispatch: DispatchLatency | undefined,
): Promise<Row[]> {
  const statement = new StatementFloor(urls.database_url);
  await statement.prepare();
  const plain = await PlainClient.start(await createDatabase(urls.database_url), LANES);
  const apiKeys = await createBusyAccounts(urls.nats_url, { count: 64, balanceMicros: 1_000_000_000_000 });
  const kinora = new KinoraClient(urls.base_url, apiKeys, LANES);
  try {
    const works = {
      'one SQL statement from Node, no service': () => statement.accept(),
      'NestJS + Express + TypeORM save(), one process': () => plain.create(),
      'Kinora: six services, screened, priced, dispatched': () => kinora.create(),
    };
    const rounds: Record<string, LoadResult[]> = {};
    for (let round = 0; round < ROUNDS; round++)
      for (const [what, work] of Object.entries(works))
        (rounds[what] ??= []).push(await runLoad({ lanes: LANES, durationMs: ROUND_MS, work }));
    return Object.entries(rounds).map(([what, results]) => ({
      what,
      accepted: medianOf(results),
      ...(what.startsWith('Kinora') && dispatch ? { pickupP50Ms: dispatch.p50Ms, pickupP99Ms: dispatch.p99Ms } : {}),
    }));
  } finally {
    await Promise.all([plain.close(), kinora.close(), statement.close()]);
  }
}

/** An empty one on the stack's server; it goes with the stack. */
async function createDatabase(adminUrl: string): Promise<string> {
  const name = `peer_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`).finally(() => admin.end());
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function printTable(rows: Row[]): void {
  console.log('| what | accepted/s at 32 | p50 ms | p99 ms | begun/s | pickup p50 ms | p99 ms |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { what, accepted, begunPerSecond, pickupP50Ms, pickupP99Ms } of rows) {
    const figures = [accepted.perSecond, accepted.p50Ms, accepted.p99Ms, begunPerSecond, pickupP50Ms, pickupP99Ms];
    console.log(`| ${[what, ...figures.map(rounded)].join(' | ')} |`);
  }
}

function rounded(figure: number | undefined): string {
  if (figure === undefined) return '–';
  return figure >= 100 ? Math.round(figure).toLocaleString('en') : figure.toFixed(1);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
