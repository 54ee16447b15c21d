// A process of its own, so that the work of sending does not hold up what is measured: `send-abuse.js BASE_URL API_KEY`.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Abuse, AbuseReport, AbuseCounts } from './abuse';
import { anonymousAbuses } from './anonymous-abuses';
import { keyAbuses } from './key-abuses';

/** Senders are elsewhere: what they compute must not be taken from the service, which shares these cores with them here. */
const NICENESS = 19;
/** Where Linux shares the processor out between sessions first, the session has a priority of its own. */
const SESSION_PRIORITY = '/proc/self/autogroup';

const counts: AbuseCounts = {};
let begun: NodeJS.CpuUsage;

async function run({ name, everyMs, send }: Abuse): Promise<void> {
  const answers = (counts[name] ??= {});
  for (;;) {
    const [answer] = await Promise.all([send().catch(() => 'closed'), delay(everyMs)]);
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
}

function yieldToCreates(): void {
  os.setPriority(NICENESS);
  try {
    writeFileSync(SESSION_PRIORITY, String(NICENESS));
  } catch {
    // There are no such groups here, so that the priority of the process is all there is.
  }
}

function report(): void {
  const { user, system } = process.cpuUsage(begun);
  process.send?.({ counts, cpuMs: (user + system) / 1_000 } satisfies AbuseReport, () => process.exit());
}

async function main(baseUrl: string, apiKey: string): Promise<void> {
  yieldToCreates();
  const abuses = [...anonymousAbuses(baseUrl), ...(await keyAbuses(baseUrl, apiKey))];
  begun = process.cpuUsage();
  for (const abuse of abuses) for (let client = 0; client < abuse.clients; client++) void run(abuse);
  process.once('message', report);
  // Whatever becomes of the program that has begun it, it does not go on alone.
  process.once('disconnect', () => process.exit());
  process.send?.('begun');
}

void main(process.argv[2] ?? '', process.argv[3] ?? '');
