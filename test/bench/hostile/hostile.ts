// Measures whether one abusive key and one anonymous address can slow down another account: `npm run bench -- hostile
// [MINUTES [NAMES...]]`. Each of NAMES is a phase with only the abuses whose names begin with one of its parts, which commas
// separate: `npm run bench -- hostile 0.5 "full lists,the fullest" "edits of three"`.
import path from 'node:path';
import { once } from 'node:events';
import { BenchStack } from '../bench-stack';
import { createBusyAccounts } from '../busy-accounts';
import { costOfEach, readCpuMs } from '../cpu-per-request';
import { runAtFixedRate } from '../fixed-rate';
import { forkProgram } from '../fork-program';
import { KinoraClient } from '../kinora-client';
import { percentile } from '../load';
import type { Stack } from '../../../deploy/local/stack-file';
import { type AbuseReport, openAbuserKey } from './abuse';
import { OPENAI_PATH } from './key-abuses';
import { CREATIONS_PER_SECOND, type Abused, type Phase, report } from './report-abuse';

const DEFAULT_MINUTES = 10;
const MOST_MINUTES = 60;
const MINUTE_MS = 60_000;
const CONNECTIONS = 16;
/** Long enough for a p95, also in a short run. */
const CALM_MS = MINUTE_MS;
/** Warm-up: the first requests of a fresh stack are not compared. */
const WARM_UP_MS = 10_000;
/** Every name begins with it. */
const ALL = '';

async function main(minutes: number, names: string[]): Promise<void> {
  if (!(minutes > 0 && minutes <= MOST_MINUTES)) throw new Error(`MINUTES must be a number up to ${MOST_MINUTES}.`);
  const stack = await BenchStack.start({ LOG_LEVEL: 'warn' });
  try {
    const described = await stack.describe();
    const { base_url, nats_url } = described;
    const [apiKey = ''] = await createBusyAccounts(nats_url, 1);
    const creator = new KinoraClient(base_url, [apiKey], CONNECTIONS);
    await measure(creator, described, WARM_UP_MS);
    const calm = await measure(creator, described, CALM_MS);
    const abused: Abused[] = [];
    for (const only of names)
      for (const api of [base_url, new URL(OPENAI_PATH, base_url).href])
        // Each phase has an abuser with an account of its own, whose job slots are free.
        abused.push(
          await withAbuse([api, await openAbuserKey(nats_url), only], () =>
            measure(creator, described, minutes * MINUTE_MS),
          ),
        );
    await creator.close();
    // An API may have no abuse of that name.
    const sent = abused.filter(({ counts }) => Object.keys(counts).length > 0);
    process.exitCode = report(calm, sent) ? 0 : 1;
  } finally {
    await stack.end();
  }
}

/** Sends the abuse during a measurement. */
async function withAbuse(
  sent: [api: string, abuserKey: string, only: string],
  work: () => Promise<Phase>,
): Promise<Abused> {
  // In a session of its own, so that its priority can be lower than that of all other processes here.
  const { program } = await forkProgram(path.join(__dirname, 'send-abuse.js'), sent, { detached: true });
  const phase = await work();
  const received = once(program, 'message');
  program.send('stop');
  const [{ counts, cpuMs }] = (await received) as [AbuseReport];
  const [api, , only] = sent;
  return { api: new URL(api).pathname, only, phase, counts, senderMs: cpuMs };
}

async function measure(creator: KinoraClient, stack: Stack, durationMs: number): Promise<Phase> {
  const latenciesMs: number[] = [];
  const statuses: number[] = [];
  const before = await readCpuMs(stack);
  await runAtFixedRate({
    perSecond: CREATIONS_PER_SECOND,
    durationMs,
    work: async () => statuses.push(await creator.statusOfCreate()),
    onLatency: (latencyMs) => latenciesMs.push(latencyMs),
    // A connection that breaks is neither a response nor a success.
    onError: () => statuses.push(0),
  });
  const cpuMs = costOfEach(1, before, await readCpuMs(stack));
  const sorted = latenciesMs.sort((one, other) => one - other);
  const created = statuses.filter((status) => status === 202).length;
  const serverErrors = statuses.filter((status) => status >= 500).length;
  return {
    ...{ durationMs, cpuMs },
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    created,
    serverErrors,
    otherErrors: statuses.length - created - serverErrors,
  };
}

const [minutes, ...names] = process.argv.slice(2);
void main(Number(minutes ?? DEFAULT_MINUTES), names.length > 0 ? names : [ALL]).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
