import { isCallbackOf } from '@kinora/webhooks';
import { isRecord } from '../http/json-answer';
import { type Prediction, asPrediction } from './replicate-prediction';

/** Two clocks may differ, and an attempt is never older than its job. */
const SKEW_MS = 15 * 60_000;

/** Where predictions begin to be listed for an attempt: its id begins with its job's, and that with the time of acceptance. */
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
