import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 10;
/** A busy machine is no failure: at ten times its cores, starting a process or a thread takes ten times as long. */
const DEFAULT_TIMEOUT_MS = 40_000;

/**
 * Asks again until the answer is neither false, null nor undefined, and returns it. The only place of a spec where time passes:
 * a test that waits for a condition is as fast as the machine, one that sleeps is slow or wrong.
 */
export async function waitFor<Answer>(
  condition: () => Answer | Promise<Answer>,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<Exclude<Answer, false | null | undefined>> {
  // Made here, so that its stack names the test that waits.
  const tooLate = new Error(`Still not so after ${timeoutMs} ms: ${condition.toString()}`);
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as Exclude<Answer, false | null | undefined>;
    if (performance.now() >= deadline) throw tooLate;
    await delay(INTERVAL_MS);
  }
}
