import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 10;
/** Generous, because load is no failure: with ten times as many processes as cores, each start takes ten times as long. */
const DEFAULT_TIMEOUT_MS = 40_000;

/**
 * Repeats the condition until it returns neither false, null nor undefined, and returns that value. It is the only place of a
 * spec where time passes: a test that waits for a condition is as fast as the machine, and one that sleeps is slow or wrong.
 */
export async function waitFor<Answer>(
  condition: () => Answer | Promise<Answer>,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<Exclude<Answer, false | null | undefined>> {
  // Created here, so that its stack names the waiting test.
  const tooLate = new Error(`The condition was still false after ${timeoutMs} ms: ${condition.toString()}`);
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as Exclude<Answer, false | null | undefined>;
    if (performance.now() >= deadline) throw tooLate;
    await delay(INTERVAL_MS);
  }
}
