import type { Stack } from '../../deploy/local/stack-file';
import { createBusyAccounts } from './busy-accounts';
import { KinoraClient } from './kinora-client';
import { median, repeat } from './load';

const CLIENTS = 64;
const ROUNDS = 5;
const REQUESTS_SENT = 2_000;
/** The number of jobs that the balance pays for. */
const PAID = REQUESTS_SENT / 2;

export interface HotAccount {
  /** Responses a second, of which half are 402. */
  decisionsPerSecond: number;
  /** In the worst round: the difference between created jobs and paid jobs. */
  inexactBy: number;
}

/** Concurrent requests of an account whose balance pays for half of them; all lock its one wallet row. */
export async function measureHotAccount({ base_url, nats_url }: Stack): Promise<HotAccount> {
  const [apiKey = ''] = await createBusyAccounts(nats_url, 1);
  const probe = new KinoraClient(base_url, [apiKey], 1);
  const { usage } = await probe.create();
  await probe.close();
  const rates: number[] = [];
  const inexact: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const apiKeys = await createBusyAccounts(nats_url, 1, PAID * usage.charged_micros);
    const client = new KinoraClient(base_url, apiKeys, CLIENTS);
    try {
      const { accepted, perSecond } = await requestAll(client);
      rates.push(perSecond);
      inexact.push(Math.abs(accepted - PAID));
    } finally {
      await client.close();
    }
  }
  return { decisionsPerSecond: median(rates), inexactBy: Math.max(...inexact) };
}

async function requestAll(client: KinoraClient): Promise<{ accepted: number; perSecond: number }> {
  let accepted = 0;
  const begunAt = performance.now();
  const work = async (): Promise<void> => {
    if (await client.decide()) accepted += 1;
  };
  await repeat({ clients: CLIENTS, times: REQUESTS_SENT, work });
  return { accepted, perSecond: (REQUESTS_SENT * 1_000) / (performance.now() - begunAt) };
}
