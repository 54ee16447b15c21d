import { setTimeout as delay } from 'node:timers/promises';
import { ConsoleError } from '../http/console-error';

/** Longer than a check of a key or a password takes, so that the time of a refusal says nothing about its reason. */
const REFUSED_AFTER_MS = 1_000;

/**
 * Runs the check of a sign-in. Every refusal has the same answer after the same time.
 * @param check null means refused
 * @throws ConsoleError sign_in_refused
 */
export async function refuseEvenly<Result>(check: () => Promise<Result | null>, message: string): Promise<Result> {
  const startedAtMs = performance.now();
  const result = await check();
  if (result !== null) return result;
  await delay(Math.max(0, REFUSED_AFTER_MS - (performance.now() - startedAtMs)));
  throw new ConsoleError('sign_in_refused', message);
}
