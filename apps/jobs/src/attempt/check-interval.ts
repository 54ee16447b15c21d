/** Soon after the submission, since fast models are done soon. */
export const FIRST_CHECK_MS = 150;
/** Below the five seconds after which a read would ask the provider itself. */
export const MAX_CHECK_INTERVAL_MS = 4_000;
/** What has run for so long is asked for again after a quarter of that: it will hardly end this very moment. */
export const AGE_PER_INTERVAL = 4;

export function checkIntervalMs(ageMs: number): number {
  return Math.min(Math.max(ageMs / AGE_PER_INTERVAL, FIRST_CHECK_MS), MAX_CHECK_INTERVAL_MS);
}
