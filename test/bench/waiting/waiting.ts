// Measures held requests at one gateway, waits and streams, and the delay of an end to their clients: `npm run bench -- waiting`.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Pool } from 'undici';
import type { Stack } from '../../../deploy/local/stack-file';
import type { Job } from '../../../libs/contracts/src/jobs/job';
import { BenchStack } from '../bench-stack';
import { createBusyAccounts } from '../busy-accounts';
import { FullBackend } from '../full-backend';
import { repeat } from '../load';
import { cpuMsByName } from '../process-cpu';
import { type PhaseDelays, reportDelays, reportHeld } from './delay-report';
import { GatewayUse } from './gateway-use';
import { type Arrival, HeldConnections, type HeldRequest } from './held-connections';

const WAITS = 10_000;
const STREAMS = 2_000;
const WAITS_OF_A_KEY = 200;
const KEYS = WAITS / WAITS_OF_A_KEY;
/** Shorter than a wait, which ends after 60 s, less the time to open all of them. */
const IDLE_MS = 15_000;
const ENDS_PER_SECOND = 200;
/** A new process is as fast as a warm one after ten seconds of load (docs/performance.md), so the ends until then are told apart. */
const WARM_UP_ENDS = 2_000;
const ENDS = 4_000;
/** Jobs are streamed in groups of one job for each key: every third group makes 2,000 streams. */
const GROUPS_OF_A_STREAM = 3;
const CREATING_CLIENTS = 32;

interface OwnedJob {
  id: string;
  apiKey: string;
}

/** What the whole stack and this program do while jobs end. */
interface StackUse {
  cores: number;
  clientStallMs: number;
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
  const port = portOf(stack);
  const pool = new Pool(new URL(stack.base_url).origin, { connections: CREATING_CLIENTS, pipelining: 1 });
  const use = new GatewayUse(stack);
  try {
    const jobs = await createJobs(pool, await createBusyAccounts(stack.nats_url, KEYS));
    const idleMb = await use.memoryMb();
    const streams = await hold(use, port, jobs.slice(0, STREAMS).map(toStream), 'event_streams');
    const waits = await hold(use, port, jobs.map(toWait), 'waiting_requests');
    reportHeld(idleMb, [
      { what: `${WAITS} waiting requests`, ...waits },
      { what: `${STREAMS} event streams`, ...streams },
    ]);
    reportDelays(await measureDelays(pool, stack, use, jobs));
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
): Promise<{ memoryMb: number; cores: number }> {
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

/** Ends jobs while all of them are waited for and a part is streamed: first at a stack that has ended none, then at a warm one. */
async function measureDelays(pool: Pool, stack: Stack, use: GatewayUse, jobs: OwnedJob[]): Promise<PhaseDelays[]> {
  const port = portOf(stack);
  const [waits, streams] = [new HeldConnections(port), new HeldConnections(port)];
  const phases = [
    { phase: 'first', jobs: jobs.slice(0, WARM_UP_ENDS) },
    { phase: 'warm', jobs: jobs.slice(WARM_UP_ENDS, WARM_UP_ENDS + ENDS) },
  ];
  const ending = phases.flatMap((phase) => phase.jobs);
  const streamed = ending.filter((_, index) => Math.floor(index / KEYS) % GROUPS_OF_A_STREAM === 0);
  try {
    await streams.open(streamed.map(toStream));
    await waits.open(ending.map(toWait));
    await use.whenHeld('event_streams', streamed.length);
    await use.whenHeld('waiting_requests', ending.length);
    const uses: StackUse[] = [];
    for (const phase of phases) uses.push(await useDuring(stack, () => endJobs(pool, phase.jobs)));
    await use.whenHeld('waiting_requests', 0);
    await use.whenHeld('event_streams', 0);
    return phases.map(({ phase, jobs: ended }, index) => {
      const ids = new Set(ended.map(({ id }) => id));
      const of = ({ arrivals }: HeldConnections): Arrival[] => arrivals.filter(({ jobId }) => ids.has(jobId));
      return { phase, waits: of(waits), streams: of(streams), ...(uses[index] as StackUse) };
    });
  } finally {
    waits.close();
    streams.close();
  }
}

/** Cancels the jobs at a fixed rate. */
async function endJobs(pool: Pool, jobs: OwnedJob[]): Promise<void> {
  const beganAt = performance.now();
  await Promise.all(
    jobs.map(async ({ id, apiKey }, index) => {
      const dueMs = (index * 1_000) / ENDS_PER_SECOND - (performance.now() - beganAt);
      await new Promise((resolve) => setTimeout(resolve, dueMs));
      await send(pool, 'POST', `/v1/jobs/${id}/cancel`, apiKey);
    }),
  );
}

/** The cores that the stack uses during the work, and the longest stall of this program, which is part of each measured delay. */
async function useDuring(stack: Stack, work: () => Promise<void>): Promise<StackUse> {
  const cpuMs = async (): Promise<number> => {
    const byName = await cpuMsByName(stack.pid, new Map());
    return [...byName.values()].reduce((sum, one) => sum + one, 0);
  };
  const [before, beganAt, ownLoop] = [await cpuMs(), performance.now(), monitorEventLoopDelay({ resolution: 1 })];
  ownLoop.enable();
  await work();
  ownLoop.disable();
  return { cores: ((await cpuMs()) - before) / (performance.now() - beganAt), clientStallMs: ownLoop.max / 1e6 };
}

function portOf(stack: Stack): number {
  return Number(new URL(stack.base_url).port);
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
