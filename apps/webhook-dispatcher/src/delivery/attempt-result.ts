import type { EgressFailure, EgressResponse } from '@kinora/egress';

/** The result of one attempt. */
export interface AttemptResult {
  response_status: number | null;
  /** The class of the failure, never text from the receiver; null if the receiver acknowledged. */
  error: EgressFailure | 'redirect' | 'not_acknowledged' | null;
  latency_ms: number;
}

/**
 * A receiver acknowledges with any 2xx whose answer ends in time. A body longer than the limit is not read to its end
 * and counts as acknowledged too. A redirect is a failure, also one to a permitted address (decisions: Webhooks).
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
