const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;
/** A process that ran this long did not fail because of its start. */
const STABLE_AFTER_MS = 10_000;

/** Number of consecutive early failures, from the last run time and the number so far. */
export function countEarlyCrashes(before: number, livedMs: number): number {
  return livedMs < STABLE_AFTER_MS ? before + 1 : 0;
}

/** Zero for a process that ran well; grows with each consecutive early failure. */
export function restartDelayMs(crashes: number): number {
  return crashes === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (crashes - 1), LONGEST_DELAY_MS);
}
