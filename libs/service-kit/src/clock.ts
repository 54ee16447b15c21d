import { setTimeout as delay } from 'node:timers/promises';

/** Time for code that waits. It is a parameter, so that a spec decides when time passes (`ManualClock` of @kinora/testing). */
export interface Clock {
  /** Milliseconds that never go back. */
  nowMs: () => number;
  /** A signal that is aborted with a TimeoutError after the time. */
  deadline: (ms: number) => AbortSignal;
  /** Rejects when the signal is aborted first. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  nowMs: () => performance.now(),
  deadline: (ms) => AbortSignal.timeout(ms),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};
