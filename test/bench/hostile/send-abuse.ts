// A process of its own, so that sending does not slow down the measurement: `send-abuse.js BASE_URL API_KEY NAMES`.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Abuse, AbuseReport, AbuseCounts } from './abuse';
import { anonymousAbuses } from './anonymous-abuses';
import { keyAbuses } from './key-abuses';

/** In production the senders run elsewhere. Here they share the cores with the service, so they run at the lowest priority. */
const NICENESS = 19;
/** With autogroups, Linux divides processor time between sessions first, so the session has a priority of its own. */
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
    // This kernel has no autogroups, so the priority of the process is enough.
  }
}

function report(): void {
  const { user, system } = process.cpuUsage(begun);
  process.send?.({ counts, cpuMs: (user + system) / 1_000 } satisfies AbuseReport, () => process.exit());
}

async function main([baseUrl = '', apiKey = '', names = '']: string[]): Promise<void> {
  yieldToCreates();
  const parts = names.split(',');
  const abuses = [...anonymousAbuses(baseUrl), ...(await keyAbuses(baseUrl, apiKey))].filter(({ name }) =>
    parts.some((part) => name.startsWith(part)),
  );
  begun = process.cpuUsage();
  for (const abuse of abuses) for (let client = 0; client < abuse.clients; client++) void run(abuse);
  process.once('message', report);
  // Whatever becomes of the program that has begun it, it does not go on alone.
  process.once('disconnect', () => process.exit());
  process.send?.('begun');
}

void main(process.argv.slice(2));
