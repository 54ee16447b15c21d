import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { currentTraceparent } from '@kinora/tracing';

/** Context of one outside request, passed to every service that works on it. */
export interface CallContext {
  /** `req_…`, minted at the gateway. */
  requestId: string;
  /** On this process's monotonic clock, so that a step of the wall clock cannot end or prolong a call. */
  deadlineAtMs: number;
  /** The account on whose behalf the call is made; absent for operators and for the service's own background work. */
  accountId?: string;
}

/** Context that a request carries besides its payload. */
export interface Caller {
  call: CallContext | undefined;
  traceparent: string | undefined;
}

/** Stored in place of a call: background work of the service that holds a permit of the background limit. */
const BACKGROUND_PERMIT = Symbol('its turn');

/** One storage for both, because each AsyncLocalStorage adds cost to every promise of the process. */
const storage = new AsyncLocalStorage<CallContext | typeof BACKGROUND_PERMIT>();

export function currentCall(): CallContext | undefined {
  const current = storage.getStore();
  return current === BACKGROUND_PERMIT ? undefined : current;
}

export function currentCaller(): Caller {
  return { call: currentCall(), traceparent: currentTraceparent() };
}

/** Whether the current work skips the queue of background work: it belongs to a call, or it holds a background permit already. */
export function bypassesBackgroundLimit(): boolean {
  return storage.getStore() !== undefined;
}

export function runWithBackgroundPermit<Result>(work: () => Result): Result {
  return storage.run(BACKGROUND_PERMIT, work);
}

export function runInCall<Result>(context: CallContext, work: () => Result): Result {
  return storage.run(context, work);
}

/** Runs work in the current call with a deadline at most this many milliseconds away. */
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

/** Aborted when the time of the current call is over; null outside of any call. */
export function callDeadline(): AbortSignal | null {
  const leftMs = remainingMs();
  return leftMs === null ? null : AbortSignal.timeout(Math.max(0, Math.ceil(leftMs)));
}

export function deadlineIn(milliseconds: number): number {
  return performance.now() + milliseconds;
}
