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

/** In the place of a call: work that the service does on its own, while it is its turn. */
const BACKGROUND_PERMIT = Symbol('its turn');

/** One for both, as each further storage is written into every promise of the process. */
const storage = new AsyncLocalStorage<CallContext | typeof BACKGROUND_PERMIT>();

export function currentCall(): CallContext | undefined {
  const current = storage.getStore();
  return current === BACKGROUND_PERMIT ? undefined : current;
}

export function currentCaller(): Caller {
  return { call: currentCall(), traceparent: currentTraceparent() };
}

/** Whether the work under way stands in no line: somebody waits for the call that it belongs to, or it is its turn. */
export function bypassesBackgroundLimit(): boolean {
  return storage.getStore() !== undefined;
}

/** Does work that the service does on its own, and whose turn it is. */
export function runWithBackgroundPermit<Result>(work: () => Result): Result {
  return storage.run(BACKGROUND_PERMIT, work);
}

export function runInCall<Result>(context: CallContext, work: () => Result): Result {
  return storage.run(context, work);
}

/** Does work in the current call that may take no longer than so much of the call's time. */
export function withinMs<Result>(milliseconds: number, work: () => Result): Result {
  const deadlineAtMs = deadlineIn(milliseconds);
  const call = currentCall() ?? { requestId: 'req_internal', deadlineAtMs };
  return runInCall({ ...call, deadlineAtMs: Math.min(call.deadlineAtMs, deadlineAtMs) }, work);
}

/** Milliseconds that the current call has left; null outside of any call. */
export function remainingMs(): number | null {
  const context = currentCall();
  return context ? context.deadlineAtMs - performance.now() : null;
}

export function deadlineIn(milliseconds: number): number {
  return performance.now() + milliseconds;
}
