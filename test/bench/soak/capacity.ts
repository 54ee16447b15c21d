import type { Stack } from '../../../deploy/local/stack-file';
import { runLoad } from '../load';
import type { Receivers } from '../webhooks/receivers';
import type { SoakJobs } from './soak-jobs';

const CLIENTS = 32;
const WARM_UP_MS = 5_000;
const FULL_LOAD_MS = 10_000;
const ALL_THROUGH_WITHIN_MS = 180_000;

export interface Capacity {
  createdPerSecond: number;
  /** The rate at which jobs are also dispatched, ended, charged and announced: a queue must not grow for the whole run. */
  endedPerSecond: number;
}

/** The longest time for the whole path: from the first create at full load until the last webhook arrives. */
export async function measureCapacity(jobs: SoakJobs, receivers: Receivers): Promise<Capacity> {
  await putThrough(jobs, receivers, WARM_UP_MS);
  return await putThrough(jobs, receivers, FULL_LOAD_MS);
}

async function putThrough(jobs: SoakJobs, receivers: Receivers, durationMs: number): Promise<Capacity> {
  const createdBefore = jobs.accepted;
  const begunAt = performance.now();
  const { perSecond } = await runLoad({ clients: CLIENTS, durationMs, work: () => jobs.create() });
  const accepted = jobs.accepted - createdBefore;
  const arrived = await receivers.takeUntil(accepted, { timeoutMs: ALL_THROUGH_WITHIN_MS });
  if (arrived.length < accepted)
    throw new Error(`Of ${accepted} jobs at full load only ${arrived.length} webhooks arrived in time.`);
  return { createdPerSecond: perSecond, endedPerSecond: (accepted * 1_000) / (performance.now() - begunAt) };
}

/**
 * The value of a gauge over all processes of the stack. Of several values, for example one per model, the largest; 0 without
 * any.
 */
export async function readGauge(name: string, { processes }: Stack): Promise<number> {
  const pages = await Promise.all(Object.values(processes).map(({ health_url }) => readMetrics(health_url)));
  const lines = pages.flatMap((page) => page.split('\n')).filter((line) => /^[a-z_]+/.exec(line)?.[0] === name);
  return Math.max(0, ...lines.map((line) => Number(line.slice(line.lastIndexOf(' ') + 1))));
}

/** Empty for a process that serves no metrics, for example a database server. */
async function readMetrics(healthUrl: string): Promise<string> {
  const answer = await fetch(new URL('/metrics', healthUrl)).catch(() => null);
  return answer?.ok ? await answer.text() : '';
}
