import { setTimeout as delay } from 'node:timers/promises';

/** The largest number of concurrent requests. Beyond it the service cannot keep up, so latency means nothing. */
const MAX_CONCURRENT = 20_000;

export interface FixedRate {
  perSecond: number;
  durationMs: number;
  work: () => Promise<unknown>;
  /** From the time when the request was due, so that a delay of the load generator itself is counted (coordinated omission). */
  onLatency: (latencyMs: number) => void;
  onError: (error: unknown) => void;
}

/** Starts the work at a fixed rate, whether earlier work is done or not (open loop). Resolves when all work is done. */
export async function runAtFixedRate({ perSecond, durationMs, work, onLatency, onError }: FixedRate): Promise<void> {
  const beganAt = performance.now();
  const underWay = new Set<Promise<void>>();
  const count = Math.round((perSecond * durationMs) / 1_000);
  for (let index = 0; index < count; index++) {
    const dueAt = beganAt + (index * 1_000) / perSecond;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await delay(waitMs);
    if (underWay.size >= MAX_CONCURRENT)
      throw new Error(`${MAX_CONCURRENT} requests are in flight: the service cannot keep up with this rate.`);
    const one = work()
      .then(() => onLatency(performance.now() - dueAt), onError)
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }
  await Promise.all(underWay);
}
