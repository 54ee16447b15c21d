import type { EgressFailure } from '@kinora/egress';

/** What came of one attempt. */
export interface AttemptResult {
  status: 'delivered' | 'failed';
  response_status: number | null;
  /** The class of the failure; never what a receiver said. */
  error: EgressFailure | 'redirect' | 'not_acknowledged' | null;
}

/** A receiver acknowledges with any 2xx. A redirect is a failure, also one to a good address (decisions, "Webhooks"). */
export function toAnsweredResult(responseStatus: number): AttemptResult {
  if (responseStatus >= 200 && responseStatus < 300)
    return { status: 'delivered', response_status: responseStatus, error: null };
  const isRedirect = responseStatus >= 300 && responseStatus < 400;
  return {
    status: 'failed',
    response_status: responseStatus,
    error: isRedirect ? 'redirect' : 'not_acknowledged',
  };
}

export function toUnansweredResult(failure: EgressFailure): AttemptResult {
  return { status: 'failed', response_status: null, error: failure };
}
