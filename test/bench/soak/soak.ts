// Runs half of the machine's full load for a while, and reports whether a figure grows: `npm run bench:soak [-- MINUTES]`.
import { BenchStack } from '../bench-stack';
import { runAtFixedRate } from '../fixed-rate';
import { figure, goalsTable, isReached } from '../goals';
import { RECEIVERS_ENVIRONMENT, Receivers } from '../webhooks/receivers';
import { measureCapacity } from './capacity';
import { SoakJobs } from './soak-jobs';
import { SoakRecorder } from './soak-recorder';
import { verdictOf } from './soak-verdict';
import { windowLine, windowsTable } from './soak-window';

const DEFAULT_MINUTES = 30;
const MOST_MINUTES = 24 * 60;
/** At least as many windows as the verdict needs, also in a short run. */
const LEAST_WINDOWS = 12;
const MINUTE_MS = 60_000;
const RECEIVERS = 16;

async function main(minutes: number): Promise<void> {
  if (!(minutes > 0 && minutes <= MOST_MINUTES)) throw new Error(`MINUTES must be a number up to ${MOST_MINUTES}.`);
  // Installed first: a signal during the start of the stack must not leave the stack running.
  const interruption = interrupted();
  const receivers = await Receivers.start({ healthy: RECEIVERS, hanging: 0 });
  try {
    const stack = await BenchStack.start({ ...RECEIVERS_ENVIRONMENT, LOG_LEVEL: 'warn' });
    try {
      await Promise.race([soak(stack, receivers, minutes * MINUTE_MS), interruption]);
    } finally {
      await stack.end();
    }
  } finally {
    receivers.close();
  }
}

async function soak(stack: BenchStack, receivers: Receivers, durationMs: number): Promise<void> {
  const described = await stack.describe();
  const jobs = await SoakJobs.open(described, receivers.urls);
  const { createdPerSecond, endedPerSecond } = await measureCapacity(jobs, receivers);
  const perSecond = Math.max(1, Math.round(endedPerSecond / 2));
  console.log(
    `At full load ${figure(createdPerSecond)} jobs a second are created, and ${figure(endedPerSecond)} announced by webhook; the run holds half of that: ${perSecond}.\n`,
  );
  const windowMs = Math.min(MINUTE_MS, durationMs / LEAST_WINDOWS);
  const recorder = await SoakRecorder.open(described, receivers);
  try {
    const createdBefore = jobs.accepted;
    const load = runAtFixedRate({
      perSecond,
      durationMs,
      work: () => jobs.create(),
      onLatency: (latencyMs) => recorder.noteCreate(latencyMs),
      onError: (error) => recorder.noteError(error),
    });
    const watching = recorder.record({
      windowMs,
      count: Math.round(durationMs / windowMs),
      onWindow: (window) => console.log(windowLine(window)),
    });
    const [windows] = await Promise.all([watching, load]);
    const missing = await recorder.countMissing(jobs.accepted - createdBefore);
    console.log(`\n${windowsTable(windows)}`);
    const goals = verdictOf(windows, missing);
    console.log(`\n${goalsTable(goals)}`);
    console.log(goals.every(isReached) ? '\nFlat.' : '\nNOT flat.');
    for (const problem of recorder.problems) console.log(problem);
  } finally {
    await recorder.close();
    await jobs.close();
  }
}

/** Rejects on SIGINT or SIGTERM, so that the program ends its stack first. */
function interrupted(): Promise<never> {
  const interruption = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`Ended by ${signal}.`)));
  });
  // Avoids an unhandled rejection while nothing awaits the promise yet.
  interruption.catch(() => undefined);
  return interruption;
}

void main(Number(process.argv[2] ?? DEFAULT_MINUTES)).catch((error: unknown) => {
  console.error(error);
  // The stack has ended, so further load would only fail.
  process.exit(1);
});
