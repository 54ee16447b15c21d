import { waitFor } from './wait-for';

const DAY_MS = 86_400_000;
/** Longer than a test takes that counts by the day. */
const MARGIN_MS = 30_000;

/**
 * Waits for the next day in the last half minute of a UTC day. Budgets, statements and partitions begin anew at midnight, which
 * would be in the middle of a test. A month ends with a day.
 */
export async function avoidMidnight(): Promise<void> {
  await waitFor(() => DAY_MS - (Date.now() % DAY_MS) > MARGIN_MS);
}
