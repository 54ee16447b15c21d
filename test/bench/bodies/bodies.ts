// Measures small requests beside large bodies, and beside senders that stop in the middle of a body: `npm run bench:bodies`.
import { greyPng, toDataUri } from '../../../apps/gateway/src/fixtures/image.fixtures';
import type { StackProcess } from '../../../deploy/local/stack-file';
import { waitUntil } from '../../../deploy/local/wait-until';
import { BenchStack } from '../bench-stack';
import { createBusyAccounts } from '../busy-accounts';
import { KinoraClient } from '../kinora-client';
import { runLoad } from '../load';
import { residentMemoryMb } from '../process-memory';
import { type Cell, textTable } from '../text-table';
import { SENT_BYTES, SilentSenders } from './silent-senders';

const ACCOUNTS = 16;
const CLIENTS = 8;
const ROUND_MS = 5_000;
/** Concurrent uploads during the small requests. */
const EDITS = [0, 1, 2, 4];
const SENDERS = 200;
const SETTLED_WITHIN_MS = 20_000;
const EDIT = JSON.stringify({ prompt: 'warmer', image: toDataUri(greyPng(1024, 1024, 9_900_000)) });
const HEADINGS = ['gets/s', 'get p50 ms', 'get p99 ms', 'longest stall ms', 'gateway MB'];

async function main(): Promise<void> {
  const stack = await BenchStack.start();
  try {
    const { base_url, nats_url, processes } = await stack.describe();
    const { gateway } = processes;
    if (!gateway) throw new Error('There is no gateway.');
    const apiKeys = await createBusyAccounts(nats_url, ACCOUNTS);
    const small = new KinoraClient(base_url, apiKeys, CLIENTS);
    // The reads need an existing job.
    await runLoad({ clients: CLIENTS, durationMs: ROUND_MS, work: () => small.create() });
    await measureBesideEdits(gateway, small, new KinoraClient(base_url, apiKeys, Math.max(...EDITS)));
    await measureBesideSenders(gateway, small, new SilentSenders(base_url, apiKeys, SENDERS));
    await small.close();
  } finally {
    await stack.end();
  }
}

async function measureBesideEdits(gateway: StackProcess, small: KinoraClient, large: KinoraClient): Promise<void> {
  const rows: Cell[][] = [];
  for (const clients of EDITS) {
    const [gets, edits] = await Promise.all([
      measureGets(gateway, small),
      runLoad({ clients, durationMs: ROUND_MS, work: () => large.createEdit(EDIT) }),
    ]);
    rows.push([clients, edits.perSecond, ...gets]);
  }
  console.log(`gets on ${CLIENTS} connections beside edits with an image of 10 MB`);
  console.log(textTable(['edits at once', 'edits/s', ...HEADINGS], rows));
  await large.close();
}

async function measureBesideSenders(gateway: StackProcess, small: KinoraClient, senders: SilentSenders): Promise<void> {
  const heldCount = async (): Promise<number> =>
    (await readMetric(gateway.health_url, 'kinora_http_held_body_bytes')) / SENT_BYTES;
  const areAnswered = async (): Promise<boolean> => senders.refused + (await heldCount()) === SENDERS;
  if (!(await waitUntil(areAnswered, { timeoutMs: SETTLED_WITHIN_MS })))
    throw new Error('At least one sender got no response.');
  const gets = await measureGets(gateway, small);
  const held = await heldCount();
  console.log(`gets beside ${SENDERS} senders that announce 43 MB, send 3 MB and stop (${held} held)`);
  console.log(textTable(HEADINGS, [gets]));
  senders.close();
}

/** In the order of the headings. */
async function measureGets({ pid, health_url }: StackProcess, small: KinoraClient): Promise<Cell[]> {
  // Each scrape of the metrics resets the longest stall.
  await longestStallMs(health_url);
  const { perSecond, p50Ms, p99Ms } = await runLoad({
    clients: CLIENTS,
    durationMs: ROUND_MS,
    work: () => small.getAny(),
  });
  return [perSecond, p50Ms, p99Ms, await longestStallMs(health_url), await residentMemoryMb(pid)];
}

/** Longest stall of the process's event loop since the last scrape. */
async function longestStallMs(healthUrl: string): Promise<number> {
  return 1_000 * (await readMetric(healthUrl, 'nodejs_eventloop_lag_max_seconds'));
}

async function readMetric(healthUrl: string, name: string): Promise<number> {
  const response = await fetch(new URL('/metrics', healthUrl));
  const text = await response.text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
