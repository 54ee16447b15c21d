import { greyPng, toDataUri } from '../../../apps/gateway/src/fixtures/picture.fixtures';
import { waitUntil } from '../../../deploy/local/wait-until';
import { BenchStack } from '../bench-stack';
import { createBusyAccounts } from '../busy-accounts';
import { KinoraClient } from '../kinora-client';
import { runLoad } from '../load';
import { residentMemoryMb } from '../process-memory';
import { textTable } from '../text-table';
import { ANNOUNCED_BYTES, SilentSenders } from './silent-senders';

const LANES = 8;
const ROUND_MS = 5_000;
/** At once, while the small requests go on. */
const EDITS = [0, 1, 2, 4];
const SENDERS = 200;
const SETTLED_WITHIN_MS = 20_000;
const EDIT = JSON.stringify({ prompt: 'warmer', image: toDataUri(greyPng(1024, 1024, 9_900_000)) });
const HEADINGS = ['edits at once', 'edits/s', 'gets/s', 'get p50 ms', 'get p99 ms', 'longest stall ms', 'gateway MB'];

async function main(): Promise<void> {
  const stack = await BenchStack.start();
  try {
    const { base_url, nats_url, processes } = await stack.describe();
    const gateway = processes['gateway'];
    if (!gateway) throw new Error('There is no gateway.');
    const apiKeys = await createBusyAccounts(nats_url, 16);
    const small = new KinoraClient(base_url, apiKeys, LANES);
    const large = new KinoraClient(base_url, apiKeys, Math.max(...EDITS));
    await runLoad({ lanes: LANES, durationMs: ROUND_MS, work: () => small.create() });
    const rows = [];
    for (const lanes of EDITS) {
      await longestStallMs(gateway.health_url);
      const [gets, edits] = await Promise.all([
        runLoad({ lanes: LANES, durationMs: ROUND_MS, work: () => small.getAny() }),
        runLoad({ lanes, durationMs: ROUND_MS, work: () => large.createEdit(EDIT) }),
      ]);
      const stallMs = await longestStallMs(gateway.health_url);
      const memoryMb = await residentMemoryMb(gateway.pid);
      rows.push([lanes, edits.perSecond, gets.perSecond, gets.p50Ms, gets.p99Ms, stallMs, memoryMb]);
    }
    console.log(`gets on ${LANES} connections beside edits with an image of 10 MB`);
    console.log(textTable(HEADINGS, rows));
    const senders = new SilentSenders(base_url, apiKeys, SENDERS);
    const heldCount = async (): Promise<number> =>
      (await readMetric(gateway.health_url, 'kinora_http_held_body_bytes')) / ANNOUNCED_BYTES;
    const isSettled = async (): Promise<boolean> => senders.refused + (await heldCount()) === SENDERS;
    if (!(await waitUntil(isSettled, { timeoutMs: SETTLED_WITHIN_MS })))
      throw new Error('Not every sender was answered.');
    const beside = await runLoad({ lanes: LANES, durationMs: ROUND_MS, work: () => small.getAny() });
    // Before anything else is asked of the process, which begins its figure anew.
    const stallMs = await longestStallMs(gateway.health_url);
    const memoryMb = await residentMemoryMb(gateway.pid);
    console.log(
      `gets beside ${SENDERS} senders that announce 43 MB, send 3 MB and fall silent (${await heldCount()} held)`,
    );
    console.log(textTable(HEADINGS.slice(2), [[beside.perSecond, beside.p50Ms, beside.p99Ms, stallMs, memoryMb]]));
    senders.close();
    await Promise.all([small.close(), large.close()]);
  } finally {
    await stack.end();
  }
}

/** Of the event loop of a process, since it was asked last. */
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
