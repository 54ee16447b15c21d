import { connectBus } from '../../../libs/bus/src';
import { billingAdminRpc } from '../../../libs/contracts/src/billing/billing-admin.rpc';

/** One kind of abuse, with its number of concurrent senders and the shortest interval between two requests of one sender. */
export interface Abuse {
  name: string;
  clients: number;
  everyMs: number;
  /** @returns the status of the response. */
  send: () => Promise<string>;
}

/** How often each abuse got which response. */
export type AbuseCounts = Record<string, Record<string, number>>;

/** The last message of the sending program. */
export interface AbuseReport {
  counts: AbuseCounts;
  /** Processor time of the sender. */
  cpuMs: number;
}

/** Limits that an operator could grant: ten requests a second, a hundred concurrent jobs, and the balance to pay for them. */
const ACCOUNT = { name: 'abuser', balance_micros: 1_000_000_000, rate_limit_rpm: 600, max_concurrent_jobs: 100 };

/** @returns the one valid API key that sends the abuse. */
export async function openAbuserKey(natsUrl: string): Promise<string> {
  const { bus, close } = await connectBus(natsUrl, 'bench');
  try {
    return (await bus.request(billingAdminRpc.createAccount, ACCOUNT)).api_key;
  } finally {
    await close();
  }
}
