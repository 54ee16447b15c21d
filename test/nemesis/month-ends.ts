import { setTimeout as delay } from 'node:timers/promises';
import { signal } from '../faults/commits/server-processes';
import type { NemesisStack } from './stack';

/**
 * The ledger becomes a month older, so that what follows is of the next month. Its months close again, because their chains include the
 * times of the entries.
 */
const END_MONTH = `
  BEGIN;
  SET LOCAL TIME ZONE 'UTC';
  LOCK TABLE billing.ledger_checkpoint, billing.ledger_closing, billing.ledger_month, billing.hold, billing.ledger_entry;
  ALTER TABLE billing.ledger_entry DISABLE TRIGGER ledger_entry_is_append_only;
  UPDATE billing.ledger_entry SET created_at = created_at - interval '1 month';
  ALTER TABLE billing.ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_is_append_only;
  UPDATE billing.hold SET created_at = created_at - interval '1 month', ended_at = ended_at - interval '1 month';
  DELETE FROM billing.ledger_checkpoint;
  DELETE FROM billing.ledger_closing;
  DELETE FROM billing.ledger_month;
  COMMIT`;
const DEADLOCK = '40P01';
/** The last month that is due: it ended three days ago, or earlier. */
const FIND_CLOSED = `
  SELECT FROM billing.ledger_month WHERE closed_at IS NOT NULL
     AND month = to_char(date_trunc('month', now() AT TIME ZONE 'UTC' - interval '3 days') - interval '1 day', 'YYYY-MM')`;
/** A process closes what is due when it starts, and then every five minutes. */
const CLOSED_WITHIN_MS = 30_000;
const RESTARTS = 3;

/** Two months end, one some time after the other, so that a hold may be carried over both; then they are closed while money moves. */
export async function endMonths(stack: NemesisStack, closer: string, lastsMs: number): Promise<number> {
  await endMonth(stack);
  await delay(lastsMs);
  await endMonth(stack);
  for (let restart = 0; restart < RESTARTS; restart++) {
    const pid = await stack.pidOf(closer);
    if (pid !== undefined) signal(pid, 'SIGTERM');
    for (const until = performance.now() + CLOSED_WITHIN_MS; performance.now() < until; await delay(100))
      if ((await stack.postgres.administrate(FIND_CLOSED)) > 0) return 1;
  }
  return 0;
}

/** Repeats what a move of money has locked in another order. */
async function endMonth(stack: NemesisStack): Promise<void> {
  for (;;) {
    try {
      await stack.postgres.administrate(END_MONTH);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK) throw error;
    }
  }
}
