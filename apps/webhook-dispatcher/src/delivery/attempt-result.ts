import type { EgressFailure, EgressResponse } from '@kinora/egress';

/** The result of one attempt. */
export interface AttemptResult {
  response_status: number | null;
  /** The class of the failure, never text from the receiver; null if the receiver acknowledged. */
  error: EgressFailure | 'redirect' | 'not_acknowledged' | null;
  latency_ms: number;
}

/**
 * A receiver acknowledges with any 2xx, however its body ends. A redirect is a failure, also one to a permitted address
 * (decisions: Webhooks).
 */
export function toAnsweredResult({ status }: Pick<EgressResponse, 'status'>, latencyMs: number): AttemptResult {
  return { response_status: status, error: errorOf(status), latency_ms: latencyMs };
}

export function toUnansweredResult(failure: EgressFailure, latencyMs: number): AttemptResult {
  return { response_status: null, error: failure, latency_ms: latencyMs };
}

function errorOf(status: number): AttemptResult['error'] {
  if (status >= 300 && status < 400) return 'redirect';
  return status >= 200 && status < 300 ? null : 'not_acknowledged';
}
