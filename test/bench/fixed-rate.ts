import { setTimeout as delay } from 'node:timers/promises';

/** More than this under way at once is not latency any more: what is measured does not keep up, and never will. */
const MAX_CONCURRENT = 20_000;

export interface FixedRate {
  perSecond: number;
  durationMs: number;
  work: () => Promise<unknown>;
  /** From the moment when it was due to begin, so that nothing that holds up the next one goes uncounted. */
  onLatency: (latencyMs: number) => void;
  onError: (error: unknown) => void;
}

/** Begins the work so many times a second, whether what was begun before is done or not (an open loop). Resolves when all is done. */
export async function runAtFixedRate({ perSecond, durationMs, work, onLatency, onError }: FixedRate): Promise<void> {
  const beganAt = performance.now();
  const underWay = new Set<Promise<void>>();
  const count = Math.round((perSecond * durationMs) / 1_000);
  for (let index = 0; index < count; index++) {
    const dueAt = beganAt + (index * 1_000) / perSecond;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await delay(waitMs);
    if (underWay.size >= MAX_CONCURRENT) throw new Error(`${MAX_CONCURRENT} are under way: this rate is too much.`);
    const one = work()
      .then(() => onLatency(performance.now() - dueAt), onError)
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }
  await Promise.all(underWay);
}
