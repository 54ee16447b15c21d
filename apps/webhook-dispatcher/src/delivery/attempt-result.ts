import type { EgressFailure, EgressResponse } from '@kinora/egress';

/** What came of one attempt. */
export interface AttemptResult {
  response_status: number | null;
  /** The class of the failure, never what a receiver said; null where the receiver acknowledged. */
  error: EgressFailure | 'redirect' | 'not_acknowledged' | null;
  latency_ms: number;
}

/**
 * A receiver acknowledges with any 2xx whose answer ends in time. One that talks on past what is read of it has
 * acknowledged as well. A redirect is a failure, also one to a good address (decisions: Webhooks).
 */
export function toAnsweredResult({ status, bodyEnd }: EgressResponse, latencyMs: number): AttemptResult {
  return { response_status: status, error: errorOf(status, bodyEnd), latency_ms: latencyMs };
}

export function toUnansweredResult(failure: EgressFailure, latencyMs: number): AttemptResult {
  return { response_status: null, error: failure, latency_ms: latencyMs };
}

function errorOf(status: number, bodyEnd: EgressResponse['bodyEnd']): AttemptResult['error'] {
  if (status >= 300 && status < 400) return 'redirect';
  if (status < 200 || status >= 300) return 'not_acknowledged';
  if (bodyEnd === 'timed_out') return 'timeout';
  return bodyEnd === 'cut_off' ? 'connection_error' : null;
}
