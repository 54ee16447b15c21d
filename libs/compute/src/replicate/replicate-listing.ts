import { isCallbackOf } from '@kinora/webhooks';
import { isRecord } from '../http/json-answer';
import { type Prediction, asPrediction } from './replicate-prediction';

/** The tolerance for clock skew; an attempt is never older than its job. */
const SKEW_MS = 15 * 60_000;

/**
 * The listing for an attempt starts at the acceptance of its job: the attempt's id begins with the job's id, a UUID of version
 * 7, which begins with a time.
 */
export function listingPath(attemptId: string): string {
  const acceptedAtMs = Number.parseInt(attemptId.replaceAll('-', '').slice(0, 12), 16);
  const after = new Date(acceptedAtMs - SKEW_MS).toISOString();
  return `/predictions?created_after=${encodeURIComponent(after)}`;
}

export function findByAttempt(listing: unknown, attemptId: string): { found: Prediction | null; next: string | null } {
  const { results, next } = isRecord(listing) ? listing : {};
  const predictions = Array.isArray(results) ? results.map(asPrediction).filter((each) => each !== null) : [];
  const found = predictions.find(({ webhook }) => typeof webhook === 'string' && isCallbackOf(webhook, attemptId));
  return { found: found ?? null, next: typeof next === 'string' ? next : null };
}
