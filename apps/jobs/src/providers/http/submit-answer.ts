import type { SubmitOutcome } from '../compute-provider.port';
import type { HttpAnswer } from './bounded-exchange';
import { retryAfterMs } from './retry-after';
import { TransportError } from './transport-error';

/** No room now (429, Cog's 409, 503), or not for us until the operator mends keys or credit (401, 402, 403): not taken. */
const NOT_TAKEN = [401, 402, 403, 409, 425, 429, 503];

/** What a submission has come to that was answered, but neither with a task nor with a result. */
export function toRejectedSubmit(answer: HttpAnswer, nowMs = Date.now()): SubmitOutcome {
  const { status, headers } = answer;
  if (NOT_TAKEN.includes(status)) return { kind: 'refused', retryAfterMs: retryAfterMs(headers, nowMs) };
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: 'failed', failure: { kind: 'invalid_input', reason: `answered ${status}` }, gpuMs: null };
  // A success in a strange language, a redirect, a gateway's error: it may have been taken.
  return { kind: 'unknown' };
}

/** What a submission has come to that was not answered. @throws whatever is no TransportError */
export function toUnansweredSubmit(error: unknown): SubmitOutcome {
  if (!(error instanceof TransportError)) throw error;
  return error.wasSent ? { kind: 'unknown' } : { kind: 'refused', retryAfterMs: null };
}
