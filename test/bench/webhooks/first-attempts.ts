import type { Stack } from '../../../deploy/local/stack-file';
import { createBusyAccounts } from '../busy-accounts';
import { runAtFixedRate } from '../fixed-rate';
import { KinoraClient } from '../kinora-client';
import { percentile } from '../load';
import type { Receivers } from './receivers';

export const JOBS_PER_SECOND = 50;
const DURATION_MS = 20_000;
const ACCOUNTS = 16;
const CONNECTIONS = 32;
/** Jobs that fail at once, so that drawing images takes no processor time. */
const PROMPT = '[[fail:error]] a calm sea at dawn';
/** How long the measurement waits after the last job. */
const ARRIVED_WITHIN_MS = 60_000;

export interface FirstAttempts {
  /** The webhooks to receivers that respond. */
  jobs: number;
  arrived: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** From the end of a job, by its own stamp, to the arrival of its webhook at receivers that answer. */
export async function measureFirstAttempts(
  { base_url, nats_url }: Stack,
  receivers: Receivers,
  urls: string[],
): Promise<FirstAttempts> {
  const client = new KinoraClient(base_url, await createBusyAccounts(nats_url, ACCOUNTS), CONNECTIONS);
  const problems: unknown[] = [];
  let [begun, jobs] = [0, 0];
  const createNext = async (): Promise<void> => {
    const webhook_url = urls[begun++ % urls.length] ?? '';
    if (receivers.urls.includes(webhook_url)) jobs += 1;
    await client.create({ prompt: PROMPT, webhook_url });
  };
  await receivers.take();
  try {
    await runAtFixedRate({
      perSecond: JOBS_PER_SECOND,
      durationMs: DURATION_MS,
      work: createNext,
      onLatency: () => undefined,
      onError: (error) => problems.push(error),
    });
  } finally {
    await client.close();
  }
  if (problems.length > 0) throw problems[0];
  const arrivals = await receivers.takeUntil(jobs, { timeoutMs: ARRIVED_WITHIN_MS });
  const latenciesMs = arrivals.map(({ arrivedAtMs, completedAtMs }) => arrivedAtMs - completedAtMs);
  latenciesMs.sort((one, other) => one - other);
  return {
    jobs,
    arrived: arrivals.length,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    maxMs: latenciesMs.at(-1) ?? 0,
  };
}
