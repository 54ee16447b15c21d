const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;
/** A process that lived this long did not die of what it met at its start. */
const STABLE_AFTER_MS = 10_000;

/** How many times in a row a process died young, when it has now lived so long after so many earlier times. */
export function countEarlyCrashes(before: number, livedMs: number): number {
  return livedMs < STABLE_AFTER_MS ? before + 1 : 0;
}

/** At once for one that ran well; later and later for one that dies young again and again. */
export function restartDelayMs(crashes: number): number {
  return crashes === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (crashes - 1), LONGEST_DELAY_MS);
}
