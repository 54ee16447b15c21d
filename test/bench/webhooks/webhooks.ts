// Measures the rate of webhooks, beside the same client alone, and beside hosts that hang: `npm run bench -- webhooks`.
import { readFileSync } from 'node:fs';
import { LocalStack } from '../../support/local-stack';
import { SANDBOX_TASKS_AT_ONCE } from '../bench-stack';
import { type CpuPerRequest, costOfEach, cpuLine, readCpuMs } from '../cpu-per-request';
import { atLeast, atMost, goalsTable, textTable } from '../goals';
import { median } from '../load';
import { BareSender } from './bare-sender';
import { DeliveryBacklog } from './delivery-backlog';
import { type FirstAttempts, JOBS_PER_SECOND, measureFirstAttempts } from './first-attempts';
import { AUTHORITY_FILE, RECEIVERS_ENVIRONMENT, Receivers } from './receivers';

/** One host in a hundred hangs. */
const HEALTHY = 99;
const HANGING = 1;
const BACKLOG = 2_000;
/** Interleaved, so that noise of the machine affects all; the report shows the medians. */
const ROUNDS = 5;

const BARE = 'bare client, a connection each';
const DELIVERIES = 'deliveries';

async function main(): Promise<void> {
  const receivers = await Receivers.start({ healthy: HEALTHY, hanging: HANGING });
  try {
    const stack = await LocalStack.start({
      env: { ...RECEIVERS_ENVIRONMENT, LOG_LEVEL: 'warn', SANDBOX_TASKS_AT_ONCE },
    });
    try {
      await measureAll(stack, receivers);
    } finally {
      await stack.end();
    }
  } finally {
    receivers.close();
  }
}

async function measureAll(stack: LocalStack, receivers: Receivers): Promise<void> {
  const { rates, cpuMs } = await measureDeliveries(stack, receivers);
  const described = await stack.describe();
  const undisturbed = await measureFirstAttempts(described, receivers, receivers.urls);
  const withHanging = await measureFirstAttempts(described, receivers, [...receivers.urls, ...receivers.hangingUrls]);
  const rows = Object.entries(rates).map(([what, all]) => [what, median(all), all.map(Math.round).join(' ')]);
  console.log(`\n${textTable(['medians of the rounds', 'per second', 'per second in each'], rows)}`);
  console.log(`\n${firstAttemptsTable({ undisturbed, '1 % of hosts hang': withHanging })}`);
  const ratio = median(rates[DELIVERIES] ?? []) / median(rates[BARE] ?? []);
  console.log(
    `\n${goalsTable([
      atLeast('deliveries/s', 0.5, ratio, '× the same client bare'),
      atMost(`first attempt, ${JOBS_PER_SECOND} jobs/s, p99`, 100, undisturbed.p99Ms, 'ms after the end'),
    ])}`,
  );
  console.log(`\n${cpuLine('delivery, without its receiver', cpuMs)}`);
}

async function measureDeliveries(
  stack: LocalStack,
  receivers: Receivers,
): Promise<{ rates: Record<string, number[]>; cpuMs: CpuPerRequest }> {
  const backlog = await DeliveryBacklog.open(stack);
  try {
    const bare = new BareSender(receivers.urls, readFileSync(AUTHORITY_FILE, 'utf8'));
    const rates: Record<string, number[]> = {};
    const note = (what: string, perSecond: number): unknown => (rates[what] ??= []).push(perSecond);
    const described = await stack.describe();
    const { hangingUrls } = receivers;
    // Of the last round, when all code is compiled.
    let cpuMs: CpuPerRequest = {};
    for (let round = 0; round < ROUNDS; round++) {
      note(BARE, await bare.perSecond(BACKLOG));
      await receivers.take();
      const before = await readCpuMs(described);
      note(DELIVERIES, await backlog.perSecond(BACKLOG, { receivers, hangingUrls: [] }));
      cpuMs = costOfEach(BACKLOG, before, await readCpuMs(described));
      note('deliveries, 1 % of hosts hang', await backlog.perSecond(BACKLOG, { receivers, hangingUrls }));
    }
    return { rates, cpuMs };
  } finally {
    await backlog.close();
  }
}

function firstAttemptsTable(results: Record<string, FirstAttempts>): string {
  const rows = Object.entries(results).map(([what, one]) => [
    ...[what, one.jobs, one.arrived],
    ...[one.p50Ms, one.p99Ms, one.maxMs],
  ]);
  const headings = [`first attempts after the end of a job, ${JOBS_PER_SECOND} jobs a second`, 'jobs', 'arrived'];
  return textTable([...headings, 'p50 ms', 'p99 ms', 'max ms'], rows);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
