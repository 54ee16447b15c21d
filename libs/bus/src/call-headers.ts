import { headers, type MsgHdrs } from 'nats';
import { type CallContext, type Caller, deadlineIn } from './call-context';

const REQUEST_ID = 'Kinora-Request-Id';
const ACCOUNT_ID = 'Kinora-Account-Id';
/** Relative time, as in gRPC, so the clocks of two machines need not agree. */
const TIMEOUT_MS = 'Kinora-Timeout-Ms';
/** Header name of the W3C Trace Context. */
const TRACEPARENT = 'traceparent';

export function toHeaders({ call, traceparent }: Caller, timeoutMs: number): MsgHdrs {
  const result = headers();
  result.set(TIMEOUT_MS, String(Math.ceil(timeoutMs)));
  if (call) result.set(REQUEST_ID, call.requestId);
  if (call?.accountId !== undefined) result.set(ACCOUNT_ID, call.accountId);
  if (traceparent !== undefined) result.set(TRACEPARENT, traceparent);
  return result;
}

/** An event belongs to no call, but continues the trace of the change that caused it. */
export function toEventHeaders(traceparent: string): MsgHdrs {
  const result = headers();
  result.set(TRACEPARENT, traceparent);
  return result;
}

export function traceparentOf(received: MsgHdrs | undefined): string | undefined {
  return received?.get(TRACEPARENT);
}

/** Reads the headers of a request. Missing or malformed values fall back to defaults, since headers come from outside. */
export function toCallContext(received: MsgHdrs | undefined, defaultTimeoutMs: number, ageMs = 0): CallContext {
  const sentTimeoutMs = Number(received?.get(TIMEOUT_MS));
  const timeoutMs = sentTimeoutMs > 0 ? Math.min(sentTimeoutMs, defaultTimeoutMs) : defaultTimeoutMs;
  const accountId = received?.get(ACCOUNT_ID);
  return {
    requestId: received?.get(REQUEST_ID) || 'req_internal',
    deadlineAtMs: deadlineIn(timeoutMs - ageMs),
    ...(accountId ? { accountId } : {}),
  };
}
