import sharp from 'sharp';
import { greyPng } from '../../../apps/gateway/test/image.fixtures';
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

/** Jobs that are never drawn: drawing would use all of the processor, and drawing is not measured here. */
export const DELAY = '[[delay:3000s]]';

/** The longest texts in bytes: three bytes a character. */
export const FULLEST_TEXTS = {
  prompt: DELAY.padEnd(2_000, '漢'),
  negative_prompt: '漢'.repeat(1_000),
  metadata: Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`key-${index}`, '漢'.repeat(256)])),
};

export function deepJson(): string {
  return '['.repeat(60_000) + ']'.repeat(60_000);
}

const HEAVY_IMAGE_BYTES = 9_900_000;
const LARGEST_SIDE_PX = 4_096;

/** Small in pixels, and nearly as large in bytes as an input may be. */
export function heavyImage(): Buffer {
  return greyPng(64, 64, HEAVY_IMAGE_BYTES);
}

/** Small in bytes, and as large in pixels as an input may be. */
export function largestImage(): Promise<Buffer> {
  const background = { r: 200, g: 80, b: 40, alpha: 0.5 };
  return sharp({ create: { width: LARGEST_SIDE_PX, height: LARGEST_SIDE_PX, channels: 4, background } })
    .png()
    .toBuffer();
}
