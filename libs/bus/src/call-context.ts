import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { currentTraceparent } from '@kinora/tracing';

/** What follows one outside request through every service that works for it. */
export interface CallContext {
  /** `req_…`, minted at the gateway. */
  requestId: string;
  /** On this process's monotonic clock, so that a step of the wall clock cannot end or prolong a call. */
  deadlineAtMs: number;
  /** The account on whose behalf the call is made; absent for operators and for work that the service does on its own. */
  accountId?: string;
}

/** Who asks: what a request carries besides itself. */
export interface Caller {
  call: CallContext | undefined;
  traceparent: string | undefined;
}

const storage = new AsyncLocalStorage<CallContext>();

export function currentCall(): CallContext | undefined {
  return storage.getStore();
}

export function currentCaller(): Caller {
  return { call: storage.getStore(), traceparent: currentTraceparent() };
}

export function runInCall<Result>(context: CallContext, work: () => Result): Result {
  return storage.run(context, work);
}

/** Milliseconds that the current call has left; null outside of any call. */
export function remainingMs(): number | null {
  const context = storage.getStore();
  return context ? context.deadlineAtMs - performance.now() : null;
}

export function deadlineIn(milliseconds: number): number {
  return performance.now() + milliseconds;
}
