const FIRST_RETRY_MS = 500;
/** A job that was refused right before its backend came back is to go on within five seconds, a round of the dispatcher included. */
const MAX_RETRY_MS = 3_000;
/** A backend that asks for more than this hardly knows; looking again costs it one refusal. */
const MAX_REQUESTED_MS = 60_000;

/** How long a job waits after a refusal: longer each time, as long as the backend asks, and never in step with others. */
export function retryDelayMs(attemptNumber: number, retryAfterMs: number | null, roll = Math.random()): number {
  const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** (attemptNumber - 1), MAX_RETRY_MS);
  const requestedMs = Math.min(retryAfterMs ?? 0, MAX_REQUESTED_MS);
  return Math.round(requestedMs + backoffMs * (0.5 + roll / 2));
}
