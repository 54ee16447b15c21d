import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import { percentile } from '../load';
import type { Arrival } from './receiver-farm';
import type { Receivers } from './receivers';

const JOBS_PER_SECOND = 50;
const SECONDS = 20;
const ACCOUNTS = 16;
/** Jobs that end at once, so that the machine's time goes into ending them rather than into pictures. */
const PROMPT = '[[fail:error]] a calm sea at dawn';
/** After the last job: whatever arrives later is late beyond all bounds. */
const WAIT_MS = 60_000;

export interface FirstAttempts {
  jobs: number;
  arrived: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** From the end of a job, by its own stamp, to the arrival of its webhook at receivers that answer. */
export async function measureFirstAttempts(
  stack: LocalStack,
  receivers: Receivers,
  urls: string[],
): Promise<FirstAttempts> {
  const { base_url } = await stack.describe();
  const pool = new Pool(new URL(base_url).origin, { connections: 32, pipelining: 1 });
  const keys: string[] = [];
  for (let index = 0; index < ACCOUNTS; index++) keys.push((await openAccount(stack, { balance_micros: 1e12 })).apiKey);
  await receivers.take();
  const jobs = JOBS_PER_SECOND * SECONDS;
  const begin = performance.now();
  const sent: Promise<void>[] = [];
  let healthy = 0;
  for (let index = 0; index < jobs; index++) {
    await delay(begin + (index * 1_000) / JOBS_PER_SECOND - performance.now());
    const webhook_url = urls[index % urls.length] ?? '';
    if (receivers.urls.includes(webhook_url)) healthy += 1;
    sent.push(create(pool, keys[index % keys.length] ?? '', { prompt: PROMPT, webhook_url }));
  }
  await Promise.all(sent);
  const arrivals: Arrival[] = [];
  for (const end = performance.now() + WAIT_MS; arrivals.length < healthy && performance.now() < end; await delay(100))
    arrivals.push(...(await receivers.take()));
  await pool.close();
  const latencies = arrivals.map(({ arrivedAtMs, completedAtMs }) => arrivedAtMs - completedAtMs).sort((a, b) => a - b);
  return {
    jobs: healthy,
    arrived: arrivals.length,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    maxMs: latencies.at(-1) ?? 0,
  };
}

async function create(pool: Pool, apiKey: string, body: Record<string, unknown>): Promise<void> {
  const response = await pool.request({
    method: 'POST',
    path: '/v1/images/generations',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode !== 202 && response.statusCode !== 200)
    throw new Error(`A create answered ${response.statusCode}: ${text}`);
}
