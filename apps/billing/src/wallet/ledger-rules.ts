/**
 * The rules that always hold, by name: each selects the account and a detail for every case where it does not.
 * They read `page`, the wallets that are looked at; `entry` and `job_hold`, the entries and holds of those; `book`, what
 * the entries of an account add up to; and `open`, its open holds.
 */
export const ACCOUNT_RULES: Record<string, string> = {
  wallet_equals_entries: `
    SELECT account_id, format('wallet %s available, %s held, %s spent; entries %s, %s, %s',
             available_micros, held_micros, spent_micros, available, held, spent) AS detail
    FROM page JOIN book USING (account_id)
    WHERE (available_micros, held_micros, spent_micros) IS DISTINCT FROM (available, held, spent)`,

  entries_balance: `
    SELECT account_id, format('entry %s moves %s from %s to %s', id, amount_micros, debit, credit)
    FROM entry WHERE amount_micros < 0 OR debit = credit`,

  nothing_is_negative: `
    SELECT account_id, format('entries add up to %s available, %s held', available, held)
    FROM book WHERE available < 0 OR held < 0`,

  held_equals_open_holds: `
    SELECT page.account_id, format('wallet holds %s, open holds %s', held_micros, open.amount_micros)
    FROM page JOIN open USING (account_id) WHERE held_micros <> open.amount_micros`,

  in_flight_equals_open_holds: `
    SELECT page.account_id, format('wallet counts %s jobs, open holds are %s', in_flight_jobs, open.jobs)
    FROM page JOIN open USING (account_id) WHERE in_flight_jobs <> open.jobs`,

  job_is_reserved_and_ended_once: `
    SELECT account_id, format('job %s is %s, its entries are %s of %s to %s', job_id, coalesce(job_hold.state, 'unknown'),
             coalesce(entries.kinds, 'none'), entries.lowest, entries.highest)
    FROM job_hold FULL JOIN (
      SELECT account_id, job_id, string_agg(kind, ', ' ORDER BY id) AS kinds,
             min(amount_micros) AS lowest, max(amount_micros) AS highest
      FROM entry WHERE job_id IS NOT NULL GROUP BY account_id, job_id
    ) AS entries USING (account_id, job_id)
    WHERE (entries.kinds, entries.lowest, entries.highest) IS DISTINCT FROM (
      CASE job_hold.state WHEN 'held' THEN 'reserve' WHEN 'captured' THEN 'reserve, capture'
                          WHEN 'refunded' THEN 'reserve, refund' END, job_hold.amount_micros, job_hold.amount_micros)`,

  key_budget_equals_its_holds: `
    SELECT account_id, format('key %s counts %s since %s, its holds are %s', api_key_id, key_budget.spent_micros, period_start, held)
    FROM key_budget JOIN api_key ON api_key.id = api_key_id JOIN page USING (account_id),
         LATERAL (SELECT coalesce(sum(amount_micros), 0) AS held FROM job_hold
                  WHERE job_hold.account_id = api_key.account_id AND state IN ('held', 'captured')
                    AND (budget_key_id, budget_period_start) = (api_key_id, period_start)) AS counted
    WHERE key_budget.spent_micros <> held`,

  payment_is_entered_once: `
    SELECT coalesce(payment.account_id, entry.account_id), format('payment %s of %s is %s, its entry is of %s',
             coalesce(payment.id, payment_id), payment.amount_micros, payment.state, entry.amount_micros)
    FROM (SELECT * FROM payment WHERE account_id = ANY($1::uuid[])) AS payment
    FULL JOIN (SELECT * FROM entry WHERE payment_id IS NOT NULL) AS entry ON payment_id = payment.id
    WHERE (entry.account_id, entry.amount_micros) IS DISTINCT FROM
          (CASE WHEN payment.state = 'succeeded' THEN payment.account_id END,
           CASE WHEN payment.state = 'succeeded' THEN payment.amount_micros END)`,

  money_is_conserved: `
    SELECT account_id, format('wallet holds and has spent %s, paid in and granted were %s', wallet, brought)
    FROM (SELECT account_id, available_micros + held_micros + spent_micros AS wallet, brought
          FROM page JOIN book USING (account_id)) AS sums
    WHERE wallet <> brought`,
};

/** What is looked at once, not for each account. */
export const LEDGER_RULES: Record<string, string> = {
  ledger_is_append_only: `
    SELECT NULL::uuid, 'the trigger that refuses changes is missing or off'
    WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'ledger_entry'::regclass
                      AND tgname = 'ledger_entry_is_append_only' AND tgenabled = 'A')`,
};

export const MAX_VIOLATIONS = 1_000;

/** One statement and thus one moment: the rules hold between any two moves of money, not during one. */
export const FIND_ACCOUNT_VIOLATIONS_SQL = `
  WITH page AS (
    SELECT * FROM wallet WHERE account_id = ANY($1::uuid[])
  ), entry AS (
    SELECT * FROM ledger_entry WHERE account_id = ANY($1::uuid[])
  ), job_hold AS (
    SELECT * FROM hold WHERE account_id = ANY($1::uuid[])
  ), movement AS (
    SELECT account_id, credit AS book, amount_micros FROM entry
    UNION ALL
    SELECT account_id, debit, -amount_micros FROM entry
  ), book AS (
    SELECT account_id,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'available'), 0) AS available,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'held'), 0) AS held,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'revenue'), 0) AS spent,
           coalesce(-sum(amount_micros) FILTER (WHERE book IN ('top_ups', 'credits')), 0) AS brought
    FROM page LEFT JOIN movement USING (account_id) GROUP BY account_id
  ), open AS (
    SELECT account_id, coalesce(sum(job_hold.amount_micros), 0) AS amount_micros, count(job_id) AS jobs
    FROM page LEFT JOIN (SELECT * FROM job_hold WHERE state = 'held') AS job_hold USING (account_id) GROUP BY account_id
  )
  ${select(ACCOUNT_RULES)}`;

export const FIND_LEDGER_VIOLATIONS_SQL = select(LEDGER_RULES);

function select(rules: Record<string, string>): string {
  const found = Object.entries(rules).map(
    ([rule, sql]) => `SELECT '${rule}' AS rule, found.* FROM (${sql}) AS found (account_id, detail)`,
  );
  return `${found.join(' UNION ALL ')} LIMIT ${MAX_VIOLATIONS}`;
}
