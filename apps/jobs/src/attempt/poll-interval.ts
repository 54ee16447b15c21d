/** Soon after the submission, since fast models are done soon. */
export const FIRST_POLL_MS = 150;
/** Below the five seconds after which a read would ask the provider itself. */
export const MAX_POLL_INTERVAL_MS = 4_000;
/** What has run for so long is asked for again after a quarter of that: it will hardly end this very moment. */
export const AGE_PER_INTERVAL = 4;

export function pollIntervalMs(ageMs: number): number {
  return Math.min(Math.max(ageMs / AGE_PER_INTERVAL, FIRST_POLL_MS), MAX_POLL_INTERVAL_MS);
}
