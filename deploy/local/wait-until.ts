import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  timeoutMs: number;
  intervalMs?: number;
  signal?: AbortSignal;
}

/** Polls a condition until it is true; false after the time limit. An aborted signal rejects with its reason. */
export async function waitUntil(condition: () => Promise<boolean>, options: WaitOptions): Promise<boolean> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    options.signal?.throwIfAborted();
    if (await condition()) return true;
    if (performance.now() >= deadline) return false;
    await delay(options.intervalMs ?? 50);
  }
}
