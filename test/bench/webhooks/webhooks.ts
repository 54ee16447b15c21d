import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LocalStack } from '../../support/local-stack';
import { type CpuPerRequest, readCpuMs } from '../cpu-per-request';
import { cpuLine } from '../print-report';
import { BareSender } from './bare-sender';
import { DeliveryBacklog } from './delivery-backlog';
import { measureFirstAttempts } from './first-attempts';
import { Receivers } from './receivers';

const AUTHORITY_FILE = path.resolve('libs/testing/src/receiver-certificate/authority.pem');
/** One in a hundred hangs. */
const HEALTHY = 99;
const HANGING = 1;
const BACKLOG = 2_000;
/** Interleaved, so that a noisy moment of the machine falls on all; the medians are reported. */
const ROUNDS = 3;

async function main(): Promise<void> {
  const receivers = await Receivers.start({ healthy: HEALTHY, hanging: HANGING });
  const stack = await LocalStack.start({
    env: { KINORA_EGRESS_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: AUTHORITY_FILE, LOG_LEVEL: 'warn' },
  });
  const backlog = await DeliveryBacklog.open(stack);
  try {
    const bare = new BareSender(receivers.urls, readFileSync(AUTHORITY_FILE, 'utf8'));
    const rates: Record<string, number[]> = {};
    const note = (what: string, perSecond: number): void => {
      console.log(`${what}: ${Math.round(perSecond)}/s`);
      (rates[what] ??= []).push(perSecond);
    };
    const described = await stack.describe();
    let cpuMs: CpuPerRequest = {};
    for (let round = 0; round < ROUNDS; round++) {
      note('bare client, a connection each', await bare.perSecond(BACKLOG));
      await receivers.take();
      const before = await readCpuMs(described);
      note('deliveries', await backlog.perSecond(BACKLOG, { receivers, hangingUrls: [] }));
      cpuMs = costOfEach(before, await readCpuMs(described));
      note(
        'deliveries, 1 % of hosts hang',
        await backlog.perSecond(BACKLOG, { receivers, hangingUrls: receivers.hangingUrls }),
      );
    }
    console.table(
      Object.fromEntries(
        Object.entries(rates).map(([what, all]) => [
          what,
          { 'per second, median': median(all), rounds: all.map(Math.round).join(' ') },
        ]),
      ),
    );
    console.log(cpuLine('delivery, without its receiver', cpuMs));
    console.log('first attempts after the end of a job, 50 jobs a second');
    console.table({
      undisturbed: await measureFirstAttempts(stack, receivers, receivers.urls),
      '1 % of hosts hang': await measureFirstAttempts(stack, receivers, [...receivers.urls, ...receivers.hangingUrls]),
    });
  } finally {
    await backlog.close();
    await stack.end();
    receivers.close();
  }
}

function costOfEach(before: Map<string, number>, after: Map<string, number>): CpuPerRequest {
  return Object.fromEntries([...after].map(([name, cpuMs]) => [name, (cpuMs - (before.get(name) ?? 0)) / BACKLOG]));
}

function median(figures: number[]): number {
  return Math.round(figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
