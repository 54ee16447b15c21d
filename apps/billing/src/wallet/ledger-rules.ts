/**
 * The rules that always hold, by name: each selects the account and a detail for every case where it does not.
 * They read `book`, what the entries of an account add up to, and `open`, its open holds.
 */
export const LEDGER_RULES: Record<string, string> = {
  wallet_equals_entries: `
    SELECT wallet.account_id, format('wallet %s available, %s held, %s spent; entries %s, %s, %s',
             available_micros, held_micros, spent_micros, available, held, spent) AS detail
    FROM wallet JOIN book USING (account_id)
    WHERE (available_micros, held_micros, spent_micros) IS DISTINCT FROM (available, held, spent)`,

  entries_balance: `
    SELECT account_id, format('entry %s moves %s from %s to %s', id, amount_micros, debit, credit)
    FROM ledger_entry WHERE amount_micros < 0 OR debit = credit`,

  nothing_is_negative: `
    SELECT account_id, format('entries add up to %s available, %s held', available, held)
    FROM book WHERE available < 0 OR held < 0`,

  held_equals_open_holds: `
    SELECT wallet.account_id, format('wallet holds %s, open holds %s', held_micros, open.amount_micros)
    FROM wallet JOIN open USING (account_id) WHERE held_micros <> open.amount_micros`,

  in_flight_equals_open_holds: `
    SELECT wallet.account_id, format('wallet counts %s jobs, open holds are %s', in_flight_jobs, open.jobs)
    FROM wallet JOIN open USING (account_id) WHERE in_flight_jobs <> open.jobs`,

  job_is_reserved_and_ended_once: `
    SELECT account_id, format('job %s is %s, its entries are %s of %s to %s', job_id, coalesce(hold.state, 'unknown'),
             coalesce(entries.kinds, 'none'), entries.lowest, entries.highest)
    FROM (SELECT * FROM hold WHERE state <> 'barred') AS hold
    FULL JOIN (
      SELECT account_id, job_id, string_agg(kind, ', ' ORDER BY id) AS kinds,
             min(amount_micros) AS lowest, max(amount_micros) AS highest
      FROM ledger_entry WHERE job_id IS NOT NULL GROUP BY account_id, job_id
    ) AS entries USING (account_id, job_id)
    WHERE (entries.kinds, entries.lowest, entries.highest) IS DISTINCT FROM (
      CASE hold.state WHEN 'held' THEN 'reserve' WHEN 'captured' THEN 'reserve, capture'
                      WHEN 'refunded' THEN 'reserve, refund' END, hold.amount_micros, hold.amount_micros)`,

  key_budget_equals_its_holds: `
    SELECT account_id, format('key %s counts %s since %s, its holds are %s', api_key_id, spent_micros, period_start, held)
    FROM key_budget JOIN api_key ON api_key.id = api_key_id,
         LATERAL (SELECT coalesce(sum(amount_micros), 0) AS held FROM hold WHERE state IN ('held', 'captured')
                  AND (budget_key_id, budget_period_start) = (api_key_id, period_start)) AS counted
    WHERE spent_micros <> held`,

  money_is_conserved: `
    SELECT NULL::uuid, format('wallets hold and have spent %s, top-ups are %s', wallets, top_ups)
    FROM (SELECT coalesce(sum(available_micros + held_micros + spent_micros), 0) AS wallets FROM wallet) AS wallets,
         (SELECT coalesce(sum(amount_micros), 0) AS top_ups FROM ledger_entry WHERE debit = 'top_ups') AS top_ups
    WHERE wallets <> top_ups`,

  ledger_is_append_only: `
    SELECT NULL::uuid, 'the trigger that refuses changes is missing or off'
    WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'ledger_entry'::regclass
                      AND tgname = 'ledger_entry_is_append_only' AND tgenabled = 'O')`,
};

/** One statement and thus one moment: the rules hold between any two moves of money, not during one. */
export const FIND_VIOLATIONS_SQL = `
  WITH movement AS (
    SELECT account_id, credit AS book, amount_micros FROM ledger_entry
    UNION ALL
    SELECT account_id, debit, -amount_micros FROM ledger_entry
  ), book AS (
    SELECT account_id,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'available'), 0) AS available,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'held'), 0) AS held,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'revenue'), 0) AS spent
    FROM wallet LEFT JOIN movement USING (account_id) GROUP BY account_id
  ), open AS (
    SELECT account_id, coalesce(sum(amount_micros), 0) AS amount_micros, count(job_id) AS jobs
    FROM wallet LEFT JOIN (SELECT * FROM hold WHERE state = 'held') AS hold USING (account_id) GROUP BY account_id
  )
  ${Object.entries(LEDGER_RULES)
    .map(([rule, sql]) => `SELECT '${rule}' AS rule, found.* FROM (${sql}) AS found (account_id, detail)`)
    .join(' UNION ALL ')}
  LIMIT 1000`;
