const FIRST_RETRY_MS = 500;
/** A job that was refused right before its backend came back starts within five seconds, including a round of the dispatcher. */
const MAX_RETRY_MS = 3_000;
/** Longer delays that a backend requests are cut: one more try costs the backend one refusal. */
const MAX_REQUESTED_MS = 60_000;

/** The delay after a refusal: exponential backoff with jitter, at least as long as the backend requests. */
export function retryDelayMs(attemptNumber: number, retryAfterMs: number | null, roll = Math.random()): number {
  const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** (attemptNumber - 1), MAX_RETRY_MS);
  const requestedMs = Math.min(retryAfterMs ?? 0, MAX_REQUESTED_MS);
  return Math.round(requestedMs + backoffMs * (0.5 + roll / 2));
}
