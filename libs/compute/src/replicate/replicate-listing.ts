import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { isCallbackOf } from '@kinora/webhooks';
import { isRecord } from '../http/json-answer';
import { asPrediction, type Prediction } from './replicate-prediction';

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

export class ReplicateSettings {
  /** The secret of the account's webhooks; without it, the callback address alone authenticates a callback. */
  @IsOptional()
  @Matches(/^whsec_[A-Za-z0-9+/]+={0,2}$/, { message: 'must be whsec_ and base64' })
  webhook_secret?: string;

  /** Replicate stops predictions that take longer, even if no process is left to cancel them. Its own limit is 30 minutes. */
  @IsInt()
  @Min(5)
  @Max(1_800)
  cancel_after_seconds = 1_800;
}
