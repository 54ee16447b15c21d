// Runs alternatives to Kinora's job path beside it, on the same servers at the same time, and prints a table in Markdown: `npm
// run bench:peers`. The queues only store a job: no HTTP, key, price or screening.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { BenchStack } from '../bench-stack';
import { createBusyAccounts } from '../busy-accounts';
import { type DispatchLatency, measureDispatchLatency } from '../dispatch-latency';
import { KinoraClient } from '../kinora-client';
import { type LoadResult, runLoad } from '../load';
import { StatementFloor } from '../floors/statement-floor';
import { measureInRounds } from '../rounds';
import { textTable } from '../text-table';
import { startBullmq } from './bullmq';
import { startGraphileWorker } from './graphile-worker';
import { measureQueue } from './measure-queue';
import { startPgBoss } from './pg-boss';
import { PlainClient } from './plain-client';
import type { QueuePeer } from './queue-peer';
import { RedisServer } from './redis-server';

const CLIENTS = 32;
const ROUNDS = 5;
const ROUND_MS = 3_000;

const KINORA = 'Kinora: six services, screened, priced, dispatched';

interface Row {
  what: string;
  accepted: LoadResult;
  begunPerSecond?: number;
  pickupP50Ms?: number;
  pickupP99Ms?: number;
}

async function main(): Promise<void> {
  const { alone: dispatch } = await measureDispatchLatency();
  const stack = await BenchStack.start();
  try {
    const { base_url, nats_url, database_url } = await stack.describe();
    const queues = await measureQueues(database_url);
    const services = await measureServices({ base_url, nats_url, database_url }, dispatch);
    console.log(tableOf([...queues, ...services]));
  } finally {
    await stack.end();
  }
}

async function measureQueues(databaseUrl: string): Promise<Row[]> {
  const queues: [string, () => Promise<QueuePeer>][] = [
    ['pg-boss 10 (enqueue only)', async () => startPgBoss(await createDatabase(databaseUrl))],
    ['graphile-worker 0.16 (enqueue only)', async () => startGraphileWorker(await createDatabase(databaseUrl))],
  ];
  const redis = await RedisServer.start();
  if (redis) queues.push(['BullMQ 5 on Redis 7, fsync always (enqueue only)', () => startBullmq(redis.port)]);
  else console.log('BullMQ is left out: there is no redis-server on the path (apt-get install redis-server).\n');
  try {
    const rows: Row[] = [];
    for (const [what, start] of queues) {
      const { enqueued, ...figures } = await measureQueue(start);
      rows.push({ what, accepted: enqueued, ...figures });
    }
    return rows;
  } finally {
    await redis?.stop();
  }
}

/** Interleaved, so that noise of the machine affects all of them alike. */
async function measureServices(
  urls: { base_url: string; nats_url: string; database_url: string },
  dispatch: DispatchLatency['alone'],
): Promise<Row[]> {
  const statement = new StatementFloor(urls.database_url);
  await statement.prepare();
  const plain = await PlainClient.start(await createDatabase(urls.database_url), CLIENTS);
  const apiKeys = await createBusyAccounts(urls.nats_url, 64);
  const kinora = new KinoraClient(urls.base_url, apiKeys, CLIENTS);
  try {
    const load = (work: () => Promise<unknown>) => () => runLoad({ clients: CLIENTS, durationMs: ROUND_MS, work });
    const measured = await measureInRounds(ROUNDS, {
      'one SQL statement from Node, no service': load(() => statement.create()),
      'NestJS + Express + TypeORM save(), one process': load(() => plain.create()),
      [KINORA]: load(() => kinora.create()),
    });
    return Object.entries(measured).map(([what, accepted]) => ({
      what,
      accepted,
      ...(what === KINORA && { pickupP50Ms: dispatch.p50Ms, pickupP99Ms: dispatch.p99Ms }),
    }));
  } finally {
    await Promise.all([plain.close(), kinora.close(), statement.close()]);
  }
}

/** An empty database on the stack's server, which is deleted with the stack. */
async function createDatabase(adminUrl: string): Promise<string> {
  const name = `peer_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`).finally(() => admin.end());
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function tableOf(rows: Row[]): string {
  const headings = ['what', `accepted/s at ${CLIENTS}`, 'p50 ms', 'p99 ms', 'begun/s', 'pickup p50 ms', 'p99 ms'];
  const cells = rows.map(({ what, accepted: { perSecond, p50Ms, p99Ms }, ...queue }) => [
    ...[what, perSecond, p50Ms, p99Ms],
    ...[queue.begunPerSecond ?? null, queue.pickupP50Ms ?? null, queue.pickupP99Ms ?? null],
  ]);
  return textTable(headings, cells);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
