import { headers, type MsgHdrs } from 'nats';
import { type CallContext, type Caller, deadlineIn } from './call-context';

const REQUEST_ID = 'Kinora-Request-Id';
const ACCOUNT_ID = 'Kinora-Account-Id';
/** Relative, as in gRPC: the clocks of two machines need not agree. */
const TIMEOUT_MS = 'Kinora-Timeout-Ms';
/** As W3C names it. */
const TRACEPARENT = 'traceparent';

export function toHeaders({ call, traceparent }: Caller, timeoutMs: number): MsgHdrs {
  const result = headers();
  result.set(TIMEOUT_MS, String(Math.ceil(timeoutMs)));
  if (call) result.set(REQUEST_ID, call.requestId);
  if (call?.accountId !== undefined) result.set(ACCOUNT_ID, call.accountId);
  if (traceparent !== undefined) result.set(TRACEPARENT, traceparent);
  return result;
}

/** An event belongs to no call, but to the trace of what made it true. */
export function toEventHeaders(traceparent: string): MsgHdrs {
  const result = headers();
  result.set(TRACEPARENT, traceparent);
  return result;
}

export function traceparentOf(received: MsgHdrs | undefined): string | undefined {
  return received?.get(TRACEPARENT);
}

/** Reads what a caller sent; whatever is missing or malformed falls back, since headers come from outside the process. */
export function toCallContext(received: MsgHdrs | undefined, defaultTimeoutMs: number): CallContext {
  const sentTimeoutMs = Number(received?.get(TIMEOUT_MS));
  const timeoutMs = sentTimeoutMs > 0 ? Math.min(sentTimeoutMs, defaultTimeoutMs) : defaultTimeoutMs;
  const accountId = received?.get(ACCOUNT_ID);
  return {
    requestId: received?.get(REQUEST_ID) || 'req_internal',
    deadlineAtMs: deadlineIn(timeoutMs),
    ...(accountId ? { accountId } : {}),
  };
}
