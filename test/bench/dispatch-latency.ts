import { waitUntil } from '../../deploy/local/wait-until';
import type { Job } from '../../libs/contracts/src/jobs/job';
import { LocalStack } from '../support/local-stack';
import { WatchedSandbox } from '../support/watched-sandbox';
import { SANDBOX_TASKS_AT_ONCE } from './bench-stack';
import { createBusyAccounts } from './busy-accounts';
import { FullBackend } from './full-backend';
import { KinoraClient } from './kinora-client';
import { percentile, repeat } from './load';
import { CROWDED, writeBenchCatalog } from './bench-catalog';

const SAMPLES = 200;
/** Warm-up jobs: until V8 has compiled the hot code, the first hundred jobs of a new stack take three times as long. */
const WARM_UP = 400;
export const BACKLOG_JOBS = 10_000;
/** Capacity of the measured instance: larger than the number of tasks that are ever sent to it. */
const FREE_SLOTS = 1_000;
const CLIENTS = 32;
const SUBMITTED_WITHIN_MS = 10_000;

interface Waits {
  p50Ms: number;
  p99Ms: number;
}

/** By the number of jobs queued before. */
export interface DispatchLatency {
  alone: Waits;
  behindBacklog: Waits;
}

/**
 * Measures the time from the creation of a job, by its own timestamp, until its backend receives the task, where a slot is
 * free. It does so with an empty queue, and behind ten thousand jobs that wait for another, busy backend. It runs on a stack of
 * its own, with a proxy before the backend that records when each task arrives.
 */
export async function measureDispatchLatency(): Promise<DispatchLatency> {
  const sandbox = await WatchedSandbox.start(FREE_SLOTS);
  const backend = await FullBackend.start();
  try {
    await sandbox.addInstance({ ...backend.instance, id: CROWDED.provider });
    await writeBenchCatalog(sandbox.configDir, { crowded: true });
    const stack = await LocalStack.start({ env: { KINORA_CONFIG_DIR: sandbox.configDir, SANDBOX_TASKS_AT_ONCE } });
    try {
      await sandbox.watch(stack);
      const { base_url, nats_url } = await stack.describe();
      const apiKeys = await createBusyAccounts(nats_url, 8);
      const client = new KinoraClient(base_url, apiKeys, CLIENTS);
      await measure(sandbox, client, WARM_UP);
      const alone = await measure(sandbox, client, SAMPLES);
      // One job more than the backlog: it takes the only slot.
      const fill = { clients: CLIENTS, times: BACKLOG_JOBS + 1 };
      await repeat({ ...fill, work: () => client.create({ model: CROWDED.model }) });
      const behindBacklog = await measure(sandbox, client, SAMPLES);
      await client.close();
      return { alone, behindBacklog };
    } finally {
      await stack.end();
    }
  } finally {
    backend.close();
    await sandbox.close();
  }
}

/** One after the other, so that no job waits for the one before it. */
async function measure(sandbox: WatchedSandbox, client: KinoraClient, samples: number): Promise<Waits> {
  const waitsMs: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const job = await client.create();
    waitsMs.push((await submissionOf(sandbox, job)) - Date.parse(job.created_at));
  }
  waitsMs.sort((one, other) => one - other);
  return { p50Ms: percentile(waitsMs, 0.5), p99Ms: percentile(waitsMs, 0.99) };
}

async function submissionOf(sandbox: WatchedSandbox, { input }: Job): Promise<number> {
  const find = (): number | undefined =>
    sandbox.submissions.findLast(({ prompt }) => prompt === input.prompt)?.receivedAtMs;
  await waitUntil(async () => find() !== undefined, { timeoutMs: SUBMITTED_WITHIN_MS, intervalMs: 2 });
  const receivedAtMs = find();
  if (receivedAtMs === undefined) throw new Error('A job was not submitted.');
  return receivedAtMs;
}
