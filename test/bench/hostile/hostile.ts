// Measures whether one abusive key and one anonymous address can slow down another account: `npm run bench:hostile [--
// MINUTES]`.
import path from 'node:path';
import { once } from 'node:events';
import { BenchStack } from '../bench-stack';
import { createBusyAccounts } from '../busy-accounts';
import { runAtFixedRate } from '../fixed-rate';
import { forkProgram } from '../fork-program';
import { type Goal, goalsTable, isReached } from '../goals';
import { percentile } from '../load';
import { type Cell, textTable } from '../text-table';
import { openAbuserKey } from './abuser-account';
import type { AbuseReport, AbuseCounts } from './abuse';
import { Creator } from './creator';
import { OPENAI_PATH } from './openai-abuses';

const DEFAULT_MINUTES = 10;
const MOST_MINUTES = 60;
const MINUTE_MS = 60_000;
/** Long enough for a p95, also in a short run. */
const CALM_MS = MINUTE_MS;
/** A low rate, so that the measured account does not slow itself down. */
const CREATIONS_PER_SECOND = 5;
/** Warm-up: the first requests of a fresh stack are not compared. */
const WARM_UP_MS = 10_000;

interface Phase {
  p50Ms: number;
  p95Ms: number;
  created: number;
  serverErrors: number;
  otherErrors: number;
}

/** The abuse of one API, and what it did to the measured account. */
interface Abused {
  api: string;
  phase: Phase;
  counts: AbuseCounts;
  senderPercent: number;
}

async function main(minutes: number): Promise<void> {
  if (!(minutes > 0 && minutes <= MOST_MINUTES)) throw new Error(`MINUTES must be a number up to ${MOST_MINUTES}.`);
  const stack = await BenchStack.start({ LOG_LEVEL: 'warn' });
  try {
    const { base_url, nats_url } = await stack.describe();
    const [apiKey = ''] = await createBusyAccounts(nats_url, 1);
    const creator = new Creator(base_url, apiKey);
    await measure(creator, WARM_UP_MS);
    const calm = await measure(creator, CALM_MS);
    const abused: Abused[] = [];
    // Each API has an abuser with an account of its own, whose job slots are free.
    for (const api of [base_url, new URL(OPENAI_PATH, base_url).href])
      abused.push(await measureAbused(creator, api, await openAbuserKey(nats_url), minutes * MINUTE_MS));
    await creator.close();
    process.exitCode = report(calm, abused) ? 0 : 1;
  } finally {
    await stack.end();
  }
}

async function measureAbused(
  creator: Creator,
  baseUrl: string,
  abuserKey: string,
  durationMs: number,
): Promise<Abused> {
  // In a session of its own, so that its priority can be lower than that of all other processes here.
  const sender = path.join(__dirname, 'send-abuse.js');
  const { program } = await forkProgram(sender, [baseUrl, abuserKey], { detached: true });
  const phase = await measure(creator, durationMs);
  const received = once(program, 'message');
  program.send('stop');
  const [{ counts, cpuMs }] = (await received) as [AbuseReport];
  return { api: new URL(baseUrl).pathname, phase, counts, senderPercent: (100 * cpuMs) / durationMs };
}

async function measure(creator: Creator, durationMs: number): Promise<Phase> {
  const latenciesMs: number[] = [];
  const statuses: number[] = [];
  await runAtFixedRate({
    perSecond: CREATIONS_PER_SECOND,
    durationMs,
    work: async () => statuses.push(await creator.create()),
    onLatency: (latencyMs) => latenciesMs.push(latencyMs),
    // A connection that breaks is neither a response nor a success.
    onError: () => statuses.push(0),
  });
  const sorted = latenciesMs.sort((one, other) => one - other);
  const created = statuses.filter((status) => status === 202).length;
  const serverErrors = statuses.filter((status) => status >= 500).length;
  return {
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    created,
    serverErrors,
    otherErrors: statuses.length - created - serverErrors,
  };
}

/** @returns whether all goals are met. */
function report(calm: Phase, abused: Abused[]): boolean {
  const row = (name: string, { p50Ms, p95Ms, created, serverErrors, otherErrors }: Phase): Cell[] => {
    return [name, p50Ms, p95Ms, created, serverErrors, otherErrors];
  };
  const headings = [
    `another account, ${CREATIONS_PER_SECOND} creations a second`,
    'p50 ms',
    'p95 ms',
    '202',
    '5xx',
    'other',
  ];
  const rows = abused.map(({ api, phase }) => row(`beside abuse of ${api}`, phase));
  console.log(textTable(headings, [row('without abuse', calm), ...rows]));
  for (const { api, counts, senderPercent } of abused) {
    const sent = Object.entries(counts).map(([name, answers]) => [name, answersLine(answers)]);
    console.log(`\n${textTable([`abuse of ${api}`, 'how often it was answered how'], sent)}`);
    console.log(`Sending took ${senderPercent.toFixed(0)} % of one core.`);
  }
  const phases = [calm, ...abused.map(({ phase }) => phase)];
  const sum = (of: (phase: Phase) => number): number => phases.reduce((total, phase) => total + of(phase), 0);
  const goals: Goal[] = [
    ...abused.map(({ api, phase }): Goal => ({
      what: `p95 beside abuse of ${api}`,
      ...{ wanted: { atMost: 2 }, measured: phase.p95Ms / calm.p95Ms, unit: '× without' },
    })),
    { what: '5xx', wanted: { atMost: 0 }, measured: sum(({ serverErrors }) => serverErrors), unit: 'answers' },
    {
      what: 'refused or lost',
      wanted: { atMost: 0 },
      measured: sum(({ otherErrors }) => otherErrors),
      unit: 'creations',
    },
  ];
  console.log(`\n${goalsTable(goals)}`);
  return goals.every(isReached);
}

function answersLine(answers: Record<string, number>): string {
  return Object.entries(answers)
    .map(([answer, count]) => `${answer}: ${count}`)
    .join(', ');
}

void main(Number(process.argv[2] ?? DEFAULT_MINUTES)).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
