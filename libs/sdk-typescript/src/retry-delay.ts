import { retryAfterSeconds } from './errors';

/** How an attempt ended: with a status, or without a complete answer. */
export type Outcome = { status: number; headers: Headers } | { failure: Failure };
export type Failure = 'connection' | 'timeout' | 'truncated' | 'aborted' | 'local';

export interface Attempt {
  /** From 0. */
  attempt: number;
  /** Whether the operation may run twice without harm: a GET, or a creation with its Idempotency-Key. */
  repeatable: boolean;
}

const FIRST_BACKOFF_S = 0.5;
const LONGEST_BACKOFF_S = 8;
/** A caller can decide better than a sleeping program about waits longer than this. */
const LONGEST_RETRY_AFTER_S = 60;
const ENDED_HERE = new Set<Failure>(['aborted', 'local']);
/** A repeat of these would fail again, whatever the server says. */
const FINAL = new Set([402, 409, 422]);

/** The seconds until the next attempt; null if there must be none. Randomness keeps clients from repeating in step. */
export function retryDelaySeconds(
  outcome: Outcome,
  { attempt, repeatable }: Attempt,
  { nowMs = Date.now(), random = Math.random() } = {},
): number | null {
  const backoff = Math.min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2 ** attempt);
  const jittered = backoff * (0.5 + random / 2);
  if ('failure' in outcome) return repeatable && !ENDED_HERE.has(outcome.failure) ? jittered : null;
  const { status, headers } = outcome;
  if (!isRetried(status, headers.get('x-should-retry')) || (!repeatable && status !== 429)) return null;
  const retryAfter = retryAfterSeconds(headers, nowMs);
  if (retryAfter === null) return jittered;
  return retryAfter > LONGEST_RETRY_AFTER_S ? null : Math.max(retryAfter, backoff) * (1 + random / 4);
}

function isRetried(status: number, shouldRetry: string | null): boolean {
  if (FINAL.has(status) || shouldRetry === 'false') return false;
  return shouldRetry === 'true' || status === 408 || status === 429 || status >= 500;
}
