/** Soon after the submission, because fast models finish soon. */
export const FIRST_POLL_MS = 150;
/** Below the five seconds after which a read polls the provider inline. */
export const MAX_POLL_INTERVAL_MS = 4_000;
/** The next poll comes after a quarter of the attempt's age: the older the attempt, the less a delay of its end matters. */
export const AGE_PER_INTERVAL = 4;

export function pollIntervalMs(ageMs: number): number {
  return Math.min(Math.max(ageMs / AGE_PER_INTERVAL, FIRST_POLL_MS), MAX_POLL_INTERVAL_MS);
}
