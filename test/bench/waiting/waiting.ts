// Measures held requests at one gateway, waits and streams, and the delay of an end to their clients: `npm run bench:waiting`.
import { Pool } from 'undici';
import type { Stack } from '../../../deploy/local/stack-file';
import type { Job } from '../../../libs/contracts/src/jobs/job';
import { BenchStack } from '../bench-stack';
import { createBusyAccounts } from '../busy-accounts';
import { FullBackend } from '../full-backend';
import { goalsTable } from '../goals';
import { percentile, repeat } from '../load';
import { textTable } from '../text-table';
import { GatewayUse } from './gateway-use';
import { type Arrival, HeldConnections, type HeldRequest } from './held-connections';

const WAITS = 10_000;
const STREAMS = 2_000;
const WAITS_OF_A_KEY = 200;
/** Shorter than a wait, which ends after 60 s, less the time to open all of them. */
const IDLE_MS = 15_000;
const ENDS_PER_SECOND = 200;
const ENDS = 4_000;
const CREATING_CLIENTS = 32;

interface OwnedJob {
  id: string;
  apiKey: string;
}

interface Held {
  memoryMb: number;
  cores: number;
}

async function main(): Promise<void> {
  const backend = await FullBackend.start();
  // All connections come from one address here.
  const stack = await BenchStack.start({ KINORA_ADDRESS_CONNECTIONS_MAX: '60000', LOG_LEVEL: 'warn' }, backend);
  try {
    await measure(await stack.describe());
  } finally {
    await stack.end();
    backend.close();
  }
}

async function measure(stack: Stack): Promise<void> {
  const { origin, port } = new URL(stack.base_url);
  const pool = new Pool(origin, { connections: CREATING_CLIENTS, pipelining: 1 });
  const use = new GatewayUse(stack);
  try {
    const jobs = await createJobs(pool, await createBusyAccounts(stack.nats_url, WAITS / WAITS_OF_A_KEY));
    const idleMb = await use.memoryMb();
    const streams = await hold(use, Number(port), jobs.slice(0, STREAMS).map(toStream), 'event_streams');
    const waits = await hold(use, Number(port), jobs.map(toWait), 'waiting_requests');
    const arrivals = await measureDelays(pool, use, Number(port), jobs);
    report(idleMb, streams, waits, arrivals);
  } finally {
    await pool.close();
  }
}

/** Memory above that of the idle gateway, and the processor time while nothing happens. */
async function hold(
  use: GatewayUse,
  port: number,
  requests: HeldRequest[],
  metric: 'waiting_requests' | 'event_streams',
): Promise<Held> {
  const beforeMb = await use.memoryMb();
  const held = new HeldConnections(port);
  try {
    await held.open(requests);
    await use.whenHeld(metric, requests.length);
    const cores = await use.coresFor(IDLE_MS);
    return { memoryMb: (await use.memoryMb()) - beforeMb, cores };
  } finally {
    held.close();
    await use.whenHeld(metric, 0);
  }
}

/** Ends jobs at a fixed rate, by cancels, while all of them are waited for and a part is streamed. */
async function measureDelays(pool: Pool, use: GatewayUse, port: number, jobs: OwnedJob[]): Promise<Arrival[][]> {
  const [waits, streams] = [new HeldConnections(port), new HeldConnections(port)];
  try {
    const ending = jobs.slice(0, ENDS);
    await streams.open(ending.slice(0, STREAMS).map(toStream));
    await waits.open(ending.map(toWait));
    await use.whenHeld('event_streams', STREAMS);
    await use.whenHeld('waiting_requests', ENDS);
    const beganAt = performance.now();
    await Promise.all(
      ending.map(async ({ id, apiKey }, index) => {
        const dueMs = (index * 1_000) / ENDS_PER_SECOND - (performance.now() - beganAt);
        await new Promise((resolve) => setTimeout(resolve, dueMs));
        await send(pool, 'POST', `/v1/jobs/${id}/cancel`, apiKey);
      }),
    );
    await use.whenHeld('waiting_requests', 0);
    await use.whenHeld('event_streams', 0);
    return [waits, streams].map(({ arrivals }) => arrivals.sort((a, b) => a.delayMs - b.delayMs));
  } finally {
    waits.close();
    streams.close();
  }
}

function report(idleMb: number, streams: Held, waits: Held, arrivals: Arrival[][]): void {
  const [ofWaits = [], ofStreams = []] = arrivals.map((sorted) => sorted.map(({ delayMs }) => delayMs));
  const rows = [
    [`${WAITS} waiting requests`, waits.memoryMb, waits.cores],
    [`${STREAMS} event streams`, streams.memoryMb, streams.cores],
  ];
  console.log(`\n${textTable([`held at one gateway (idle ${Math.round(idleMb)} MB)`, 'MB more', 'cores'], rows)}`);
  const delayRows = Object.entries({ 'to waiting requests': ofWaits, 'to streams': ofStreams }).map(
    ([what, sorted]) => [
      ...[what, sorted.length, percentile(sorted, 0.5), percentile(sorted, 0.99), sorted.at(-1) ?? 0],
    ],
  );
  const headings = [`end of a job to the first byte, ${ENDS_PER_SECOND} ends a second`, 'arrived', 'p50 ms', 'p99 ms'];
  console.log(`\n${textTable([...headings, 'max ms'], delayRows)}`);
  console.log(`\nThe slowest hundredth of the waits came in the seconds ${secondsOfSlowest(arrivals[0] ?? [])}.`);
  const goals = [
    { what: `memory of ${WAITS} waits`, wanted: { atMost: 150 }, measured: waits.memoryMb, unit: 'MB' },
    { what: `idle CPU of ${WAITS} waits`, wanted: { atMost: 0.1 }, measured: waits.cores, unit: 'cores' },
    { what: 'delay of waits, p99', wanted: { atMost: 50 }, measured: percentile(ofWaits, 0.99), unit: 'ms' },
    { what: 'delay of streams, p99', wanted: { atMost: 50 }, measured: percentile(ofStreams, 0.99), unit: 'ms' },
  ];
  console.log(`\n${goalsTable(goals)}`);
}

/** Whether a stall makes the tail, or the load as a whole: `0 (31 ×), 7 (9 ×)` for two stalls. */
function secondsOfSlowest(sorted: Arrival[]): string {
  const beganAtMs = Math.min(...sorted.map(({ atMs }) => atMs));
  const counts = new Map<number, number>();
  for (const { atMs } of sorted.slice(Math.ceil(sorted.length * 0.99))) {
    const second = Math.floor((atMs - beganAtMs) / 1_000);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  const bySecond = [...counts].sort(([a], [b]) => a - b);
  return bySecond.map(([second, count]) => `${second} (${count} ×)`).join(', ');
}

async function createJobs(pool: Pool, apiKeys: string[]): Promise<OwnedJob[]> {
  const jobs: OwnedJob[] = [];
  await repeat({
    clients: CREATING_CLIENTS,
    times: WAITS,
    work: async (index) => {
      const apiKey = apiKeys[index % apiKeys.length] as string;
      const text = await send(pool, 'POST', '/v1/images/generations', apiKey, {
        prompt: `a calm sea, number ${index}`,
      });
      jobs.push({ id: (JSON.parse(text) as Job).id, apiKey });
    },
  });
  return jobs;
}

async function send(pool: Pool, method: 'POST', path: string, apiKey: string, body?: object): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
  const text = await answer.body.text();
  if (answer.statusCode > 202) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
  return text;
}

function toWait({ id, apiKey }: OwnedJob): HeldRequest {
  return { path: `/v1/jobs/${id}`, apiKey, headers: { Prefer: 'wait=60' } };
}

function toStream({ id, apiKey }: OwnedJob): HeldRequest {
  return { path: `/v1/jobs/${id}/events`, apiKey, headers: { Accept: 'text/event-stream' } };
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
