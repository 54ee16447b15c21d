import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import { LocalStack } from '../support/local-stack';
import { RequestReplyFloor } from './floors/request-reply-floor';
import { StatementFloor } from './floors/statement-floor';
import { createBusyAccounts } from './busy-accounts';
import { measureCpuPerRequest } from './cpu-per-request';
import { measureDispatchLatency } from './dispatch-latency';
import { KinoraClient } from './kinora-client';
import { type LoadResult, type Measured, medianOf, runLoad } from './load';
import { residentMemoryMb } from './process-memory';
import { printReport } from './print-report';

const LANES = 32;
const ACCOUNTS = 64;
/** Requests at once for one account: its wallet is one row, which they must not fight for. */
const HOT_LANES = [4, 16, 64];
const ROUND_MS = 3_000;
/** Interleaved, so that a noisy moment of the machine falls on all of them; the medians are reported. */
const ROUNDS = 5;

async function main(): Promise<void> {
  const bootedAt = performance.now();
  const stack = await LocalStack.start();
  const bootMs = performance.now() - bootedAt;
  const closers: (() => Promise<unknown>)[] = [() => stack.stop()];
  try {
    const described = await stack.describe();
    const { base_url, nats_url, database_url, processes } = described;
    const apiKeys = await createBusyAccounts(nats_url, { count: ACCOUNTS, balanceMicros: 1_000_000_000_000 });
    const unpaidKeys = await createBusyAccounts(nats_url, { count: 1, balanceMicros: 0 });
    const clientOf = (connections: number, keys = apiKeys): KinoraClient =>
      new KinoraClient(base_url, keys, connections);
    const many = clientOf(LANES);
    const single = clientOf(1);
    const unpaid = clientOf(LANES, unpaidKeys);
    const paid = clientOf(LANES, apiKeys.slice(0, 1));
    const hot = HOT_LANES.map((lanes) => ({ lanes, client: clientOf(lanes, apiKeys.slice(0, 1)) }));
    const statement = new StatementFloor(database_url);
    const requestReply = await RequestReplyFloor.start(nats_url);
    const http = await startHttpFloor();
    const opened = [many, single, unpaid, paid, ...hot.map(({ client }) => client), statement, requestReply, http];
    closers.unshift(...opened.map((one) => () => one.close()));
    await statement.prepare();
    const dispatchLatency = await measureDispatchLatency(single, database_url);
    // Before there are jobs that would be followed, and end, meanwhile.
    const cpuMs = {
      'accept decision (402, nothing follows)': await measureCpuPerRequest(described, () => unpaid.createUnpaid()),
      'accepted job, with its dispatch': await measureCpuPerRequest(described, () => paid.create()),
      'GET /jobs/{id}': await measureCpuPerRequest(described, () => paid.getAny()),
    };
    const measured = await measureInRounds({
      'floor: accept as one statement': { lanes: LANES, work: () => statement.accept() },
      'floor: get by key as one statement': { lanes: LANES, work: () => statement.get() },
      'floor: bare NATS request-reply': { lanes: LANES, work: () => requestReply.ask() },
      'floor: bare Fastify JSON POST': { lanes: LANES, work: () => http.post() },
      'accepted jobs': { lanes: LANES, work: () => many.create() },
      ...Object.fromEntries(
        hot.map(({ lanes, client }) => [
          `accepted jobs, one account, ${lanes} at once`,
          { lanes, work: () => client.create() },
        ]),
      ),
      'GET /jobs/{id}': { lanes: LANES, work: () => many.getAny() },
      'accepted jobs, one connection': { lanes: 1, work: () => single.create() },
      'GET /jobs/{id}, one connection': { lanes: 1, work: () => single.getAny() },
    });
    const memoryMb = await Promise.all(
      Object.entries(processes).map(async ([name, { pid }]) => [name, await residentMemoryMb(pid)] as const),
    );
    printReport({ measured, bootMs, memoryMb, dispatchLatency, cpuMs });
  } finally {
    for (const close of closers) await close();
  }
}

async function measureInRounds(loads: Record<string, { lanes: number; work: () => Promise<void> }>): Promise<Measured> {
  const results: Record<string, LoadResult[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, load] of Object.entries(loads)) {
      (results[name] ??= []).push(await runLoad({ ...load, durationMs: ROUND_MS }));
    }
  }
  return Object.fromEntries(Object.entries(results).map(([name, rounds]) => [name, medianOf(rounds)]));
}

async function startHttpFloor(): Promise<{ post(): Promise<void>; close(): Promise<void> }> {
  const server = fork(path.join(__dirname, 'floors/http-floor.js'));
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: LANES, pipelining: 1 });
  const body = JSON.stringify({ prompt: 'x'.repeat(640) });
  const headers = { 'content-type': 'application/json' };
  return {
    post: async () => {
      const response = await pool.request({ method: 'POST', path: '/', headers, body });
      await response.body.text();
    },
    close: async () => {
      await pool.close();
      server.disconnect();
    },
  };
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
