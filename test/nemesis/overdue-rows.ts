import type { Client } from 'pg';

/** Every row that a sweep looks up by its time, in all contexts; and holds, as those of abandoned creations are released later. */
const FIND_OVERDUE = `
  SELECT place || ' ' || id AS row FROM (
    SELECT 'jobs.job' AS place, id, deadline_at AS due_at FROM jobs.job WHERE deadline_at IS NOT NULL
    UNION ALL
    SELECT 'jobs.attempt', job_id, next_check_at FROM jobs.attempt WHERE state <> 'ended'
    UNION ALL
    SELECT 'webhook_dispatcher.delivery', id, next_attempt_at FROM webhook_dispatcher.delivery WHERE status = 'pending'
    UNION ALL
    SELECT 'billing.checkout', id, next_check_at FROM billing.checkout WHERE ended_at IS NULL
    UNION ALL
    SELECT 'billing.payment', id, next_check_at FROM billing.payment WHERE ended_at IS NULL
    UNION ALL
    SELECT 'billing.payment_refund', id, next_check_at FROM billing.payment_refund WHERE ended_at IS NULL
    UNION ALL
    SELECT 'billing.hold', job_id, '-infinity' FROM billing.hold WHERE state = 'held'
    UNION ALL
    SELECT 'billing.email', id, next_attempt_at FROM billing.email WHERE ended_at IS NULL
  ) AS due WHERE due_at < clock_timestamp() - interval '1 minute'`;

/** The rows whose time is over by more than a minute, by the clock of the database. */
export async function findOverdueRows(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ row: string }>(FIND_OVERDUE);
  return rows.map(({ row }) => `overdue: ${row}`);
}
