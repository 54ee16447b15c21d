import type { DeliveryStatus } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { AttemptResult } from './attempt-result';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The pauses between attempts (decisions: Webhooks). No jitter: the slots of a host spread the attempts that fall due
 * together.
 */
const RETRY_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS];

export interface NextStep {
  status: DeliveryStatus;
  /** Counted from the end of the attempt; null if no attempt follows. */
  retryAfterMs: number | null;
}

/** Decides what follows an attempt, given the number of attempts before it. */
export function decideNextStep(attemptsBefore: number, { error }: AttemptResult): NextStep {
  if (error === null) return { status: 'delivered', retryAfterMs: null };
  const retryAfterMs = RETRY_AFTER_MS[attemptsBefore] ?? null;
  return { status: retryAfterMs === null ? 'exhausted' : 'pending', retryAfterMs };
}
