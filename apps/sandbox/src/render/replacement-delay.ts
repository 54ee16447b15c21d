const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * Threads that die before they answer are likely to die again, so each is replaced after a longer delay than the one
 * before.
 */
export function replacementDelayMs(crashesSinceReply: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (crashesSinceReply - 1), LONGEST_DELAY_MS);
}
