// A process of its own, so that the work of sending does not hold up what is measured: `send-abuse.js BASE_URL API_KEY`.
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Abuse, AbuseTally } from './abuse';
import { anonymousAbuses } from './anonymous-abuses';
import { keyAbuses } from './key-abuses';

/** Senders are elsewhere: what they compute must not be taken from the service, which shares these cores with them here. */
const NICENESS = 10;

const tally: AbuseTally = {};

async function run({ name, everyMs, send }: Abuse): Promise<void> {
  const answers = (tally[name] ??= {});
  for (;;) {
    const [answer] = await Promise.all([send().catch(() => 'closed'), delay(everyMs)]);
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
}

async function main(baseUrl: string, apiKey: string): Promise<void> {
  os.setPriority(Math.max(os.getPriority(), NICENESS));
  const abuses = [...anonymousAbuses(baseUrl), ...(await keyAbuses(baseUrl, apiKey))];
  for (const abuse of abuses) for (let lane = 0; lane < abuse.lanes; lane++) void run(abuse);
  process.once('message', () => process.send?.(tally, () => process.exit()));
  // Whatever becomes of the program that has begun it, it does not go on alone.
  process.once('disconnect', () => process.exit());
  process.send?.('begun');
}

void main(process.argv[2] ?? '', process.argv[3] ?? '');
