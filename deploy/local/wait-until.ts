import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  timeoutMs: number;
  intervalMs?: number;
  signal?: AbortSignal;
}

/** Asks again and again until the answer is true; false when the time is over first. A signal ends the wait with its reason. */
export async function waitUntil(condition: () => Promise<boolean>, options: WaitOptions): Promise<boolean> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    options.signal?.throwIfAborted();
    if (await condition()) return true;
    if (performance.now() >= deadline) return false;
    await delay(options.intervalMs ?? 50);
  }
}
