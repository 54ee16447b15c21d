import { setTimeout as delay } from 'node:timers/promises';

/**
 * Time for code that waits: services inject it, libraries take it as an option. So a spec decides when time passes (`ManualClock`
 * of @kinora/testing).
 */
export abstract class Clock {
  /** Milliseconds that never go back. */
  abstract readonly nowMs: () => number;
  /** A signal that is aborted with a TimeoutError after the time. */
  abstract readonly deadline: (ms: number) => AbortSignal;
  /** Calls once after the time, which keeps no process alive. @returns what cancels the call */
  abstract readonly after: (ms: number, call: () => void) => () => void;
  /** Rejects when the signal is aborted first. */
  abstract readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  nowMs: () => performance.now(),
  deadline: (ms) => AbortSignal.timeout(ms),
  after: (ms, call) => {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};
