import { FIRST_KEPT_ID, firstIdSince, lastIdUntil, NEWEST_ID } from './ledger-bounds';

/** A case that violates a rule. */
export interface Violation {
  rule: string;
  account_id: string | null;
  detail: string;
}

export const MAX_VIOLATIONS = 1_000;

/**
 * The entries of ranges: of each account those after one entry and up to another, limited in number. The parameters are
 * arrays of accounts, first and last entry ids, and the hash chains up to the first; the limit; and bounds around all of these ids.
 */
export const ENTRIES_OF_STRETCHES = `
  unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[]) AS stretch (account_id, after_id, last_id, chain_before)
  CROSS JOIN LATERAL (
    SELECT * FROM ledger_entry
    WHERE ledger_entry.account_id = stretch.account_id AND id > after_id AND id <= last_id AND id > $6 AND id <= $7
    ORDER BY id LIMIT $5
  ) AS entry`;

const FIRST_OF_JOBS = firstIdSince('(SELECT min(created_at) FROM job JOIN hold USING (job_id))');
const LAST_OF_JOBS = lastIdUntil(`(SELECT max(coalesce(ended_at, 'infinity')) FROM job JOIN hold USING (job_id))`);

/**
 * A job's hold and all its entries, any of which may be missing: a job is reserved once and ended once. Archived entries are those that
 * the hold names.
 * @param ids bounds of the entries, so that few partitions are read
 */
const jobIsReservedAndEndedOnce = (ids: string): string => `
  SELECT coalesce(job_hold.account_id, entries.account_id),
         format('job %s is %s, its entries are %s of %s to %s', job_id, coalesce(job_hold.state, 'unknown'),
           coalesce(entries.kinds, 'none'), entries.lowest, entries.highest)
  FROM job LEFT JOIN LATERAL (
    SELECT account_id, state, amount_micros, reserve_entry_id, end_entry_id FROM hold WHERE hold.job_id = job.job_id
  ) AS job_hold ON true LEFT JOIN LATERAL (
    SELECT min(account_id::text)::uuid AS account_id, count(DISTINCT account_id) AS accounts,
           string_agg(kind, ', ' ORDER BY id) AS kinds, min(amount_micros) AS lowest, max(amount_micros) AS highest
    FROM (
      SELECT id, account_id, kind, amount_micros FROM ledger_entry
      WHERE ledger_entry.job_id = job.job_id AND id BETWEEN ${ids} AND id >= ${FIRST_KEPT_ID}
      UNION ALL
      SELECT id, job_hold.account_id, kind, job_hold.amount_micros
      FROM (VALUES (reserve_entry_id, 'reserve'), (end_entry_id, CASE state WHEN 'captured' THEN 'capture' ELSE 'refund' END))
        AS archived (id, kind) WHERE id < ${FIRST_KEPT_ID}
    ) AS entry
  ) AS entries ON true
  WHERE (entries.kinds, entries.lowest, entries.highest, entries.accounts, entries.account_id) IS DISTINCT FROM (
    CASE job_hold.state WHEN 'held' THEN 'reserve' WHEN 'captured' THEN 'reserve, capture'
                        WHEN 'refunded' THEN 'reserve, refund' END,
    job_hold.amount_micros, job_hold.amount_micros, 1, job_hold.account_id)`;

/** The account of an entry that has a name, and its amount: negative if it left the account. An archived entry has left them with its name. */
const entryNamed = (account: string, name: string): string => `
  SELECT account_id, CASE WHEN debit IN ('top_ups', 'credits') THEN entry.amount_micros ELSE -entry.amount_micros END AS amount_micros
  FROM ledger_reference AS named JOIN ledger_entry AS entry USING (account_id)
  WHERE named.account_id = ${account} AND named.reference = ${name} AND id = entry_id AND id >= ${FIRST_KEPT_ID}
    AND (entry.reference = ${name} OR 'payment ' || entry.payment_id = ${name})
  UNION ALL
  SELECT account_id, amount_micros FROM ledger_reference
  WHERE account_id = ${account} AND reference = ${name} AND entry_id < ${FIRST_KEPT_ID}`;

/** A payment and its entry, either of which may be missing: a succeeded payment has one entry, any other has none. */
const payment_is_entered_once = `
  SELECT coalesce(payment.account_id, entry.account_id), format('payment %s of %s is %s, its entry is of %s',
           paid.payment_id, payment.amount_micros, payment.state, entry.amount_micros)
  FROM paid LEFT JOIN payment ON payment.id = paid.payment_id
  LEFT JOIN LATERAL (${entryNamed('paid.account_id', `'payment ' || paid.payment_id`)}) AS entry ON true
  WHERE (entry.account_id, entry.amount_micros) IS DISTINCT FROM
        (CASE WHEN payment.state = 'succeeded' THEN payment.account_id END,
         CASE WHEN payment.state = 'succeeded' THEN payment.amount_micros END)`;

/**
 * A checkout, a refund or a dispute stands for an amount that was paid in or back: its entries, which name it, add up to it. A failed
 * refund and a won dispute stand for nothing, because their money has gone both ways.
 */
const payment_moves_its_amount = `
  SELECT account_id, format('%s stands for %s, its entries for %s', names[1], paid_in, entered)
  FROM moved_row, LATERAL (
    SELECT coalesce(sum(entry.amount_micros), 0) AS entered
    FROM unnest(names) AS name, LATERAL (${entryNamed('moved_row.account_id', 'name')}) AS entry
  ) AS sums
  WHERE paid_in <> entered`;

/** The row that an entry names is there. A name without an id is of none: a cast would end the whole verification. */
const entry_names_a_payment = `
  SELECT entry.account_id, format('entry %s is of %s, which there is not', entry.id, reference)
  FROM stretch_entry AS entry,
       LATERAL (SELECT split_part(reference, ' ', 1) AS kind,
                       substring(reference FROM ' ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?: |$)')::uuid AS row_id) AS named
  WHERE reference ~ '^(checkout|payment_refund|dispute) [0-9a-f]{8}-' AND NOT EXISTS (
    SELECT FROM checkout WHERE named.kind = 'checkout' AND checkout.id = row_id AND checkout.account_id = entry.account_id
    UNION ALL SELECT FROM payment_refund
    WHERE named.kind = 'payment_refund' AND payment_refund.id = row_id AND payment_refund.account_id = entry.account_id
    UNION ALL SELECT FROM dispute
    WHERE named.kind = 'dispute' AND dispute.id = row_id AND dispute.account_id = entry.account_id)`;

/**
 * The rules by name. Each selects the account and a detail for every violation. These check the entries of ranges, and
 * the jobs and payments that the entries name.
 */
const ENTRY_RULES: Record<string, string> = {
  entries_balance: `
    SELECT account_id, format('entry %s moves %s from %s to %s', id, amount_micros, debit, credit)
    FROM stretch_entry WHERE amount_micros < 0 OR debit = credit`,
  // An entry too many may be at any later time.
  job_is_reserved_and_ended_once: jobIsReservedAndEndedOnce(
    `least(${FIRST_OF_JOBS}, (SELECT min(id) FROM stretch_entry)) AND ${NEWEST_ID}`,
  ),
  payment_is_entered_once,
  entry_names_a_payment,
};

/**
 * Rules about wallets. They read `page`, the wallets to check; `book`, the sums of an account's entries; and `open`, its
 * open holds.
 */
const WALLET_RULES: Record<string, string> = {
  wallet_equals_entries: `
    SELECT account_id, format('wallet %s available, %s held, %s spent, %s owed; entries %s, %s, %s, %s', available_micros, held_micros,
             spent_micros, owed_micros, available, held, spent, -debts) AS detail
    FROM page JOIN book USING (account_id)
    WHERE (available_micros, held_micros, spent_micros, owed_micros) IS DISTINCT FROM (available, held, spent, -debts)`,

  nothing_is_negative: `
    SELECT account_id, format('entries add up to %s available, %s held', available, held)
    FROM book WHERE available < 0 OR held < 0`,

  held_equals_open_holds: `
    SELECT page.account_id, format('wallet holds %s, open holds %s', held_micros, open.amount_micros)
    FROM page JOIN open USING (account_id) WHERE held_micros <> open.amount_micros`,

  in_flight_equals_open_holds: `
    SELECT page.account_id, format('wallet counts %s jobs, open holds are %s', in_flight_jobs, open.jobs)
    FROM page JOIN open USING (account_id) WHERE in_flight_jobs <> open.jobs`,

  money_is_conserved: `
    SELECT account_id, format('wallet holds and has spent %s, paid in and granted were %s', wallet, brought)
    FROM (SELECT account_id, available_micros + held_micros + spent_micros - owed_micros AS wallet, brought
          FROM page JOIN book USING (account_id)) AS sums
    WHERE wallet <> brought`,
};

/** Rules about the whole ledger, checked once per run. */
export const LEDGER_RULES: Record<string, string> = {
  ledger_is_append_only: `
    SELECT NULL::uuid, format('the trigger of %s that refuses changes is missing or off', relid)
    FROM pg_partition_tree('ledger_entry')
    WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = relid
                      AND tgname = 'ledger_entry_is_append_only' AND tgenabled = 'A')`,
};

/** Rules about rows that a full run reads page by page. */
const BUDGET_RULES: Record<string, string> = {
  key_budget_equals_its_holds: `
    SELECT account_id, format('key %s counts %s since %s, its holds are %s, and ended gifts %s', page.api_key_id,
             page.spent_micros, page.period_start, held, gifts)
    FROM page JOIN api_key ON api_key.id = page.api_key_id,
         LATERAL (SELECT coalesce(sum(amount_micros), 0) AS held FROM hold
                  WHERE state IN ('held', 'captured')
                    AND (budget_key_id, budget_period_start) = (page.api_key_id, page.period_start)) AS counted,
         LATERAL (SELECT CASE WHEN page.ended_gifts_period = page.period_start THEN page.ended_gifts_micros ELSE 0 END
                    AS gifts) AS ended
    WHERE page.spent_micros <> held + gifts`,
};

/** Violated if an account's old entries differ from what was verified. */
export const CHECKPOINT_RULE = 'entries_are_as_verified';

export const ACCOUNT_RULES = [
  ...Object.keys({ ...ENTRY_RULES, ...WALLET_RULES, ...BUDGET_RULES, payment_moves_its_amount }),
  CHECKPOINT_RULE,
] as const;

/** One statement and thus one snapshot: the rules hold between two moves of money, not during one. */
export const FIND_ENTRY_VIOLATIONS_SQL = `
  WITH stretch_entry AS MATERIALIZED (SELECT entry.* FROM ${ENTRIES_OF_STRETCHES}),
       job AS MATERIALIZED (SELECT DISTINCT job_id FROM stretch_entry WHERE job_id IS NOT NULL),
       paid AS MATERIALIZED (SELECT payment_id, account_id FROM stretch_entry WHERE payment_id IS NOT NULL)
  ${select(ENTRY_RULES)}`;

/** The sums of the entries of the wallets in `page`: the checkpoint plus all later entries, the first of which has the id $2 or a greater one. */
export const BOOK_SQL = `
  page AS (
    SELECT * FROM wallet WHERE account_id = ANY($1::uuid[])
  ), movement AS (
    SELECT account_id, book, amount_micros FROM ledger_checkpoint, LATERAL (VALUES
      ('available', available_micros), ('held', held_micros), ('revenue', revenue_micros),
      ('top_ups', top_ups_micros), ('credits', credits_micros), ('debts', debts_micros)) AS sums (book, amount_micros)
    WHERE account_id = ANY($1::uuid[])
    UNION ALL
    SELECT page.account_id, moved.book, moved.amount_micros
    FROM page LEFT JOIN ledger_checkpoint AS checkpoint USING (account_id)
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_entry
      WHERE ledger_entry.account_id = page.account_id AND id > coalesce(checkpoint.entry_id, 0) AND id >= $2 OFFSET 0
    ) AS entry, LATERAL (VALUES (credit, entry.amount_micros), (debit, -entry.amount_micros)) AS moved (book, amount_micros)
  ), book AS (
    SELECT account_id,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'available'), 0) AS available,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'held'), 0) AS held,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'revenue'), 0) AS spent,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'top_ups'), 0) AS top_ups,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'credits'), 0) AS credits,
           coalesce(sum(amount_micros) FILTER (WHERE book = 'debts'), 0) AS debts,
           coalesce(-sum(amount_micros) FILTER (WHERE book IN ('top_ups', 'credits')), 0) AS brought
    FROM page LEFT JOIN movement USING (account_id) GROUP BY account_id
  )`;

export const FIND_WALLET_VIOLATIONS_SQL = `
  WITH ${BOOK_SQL}, open AS (
    SELECT account_id, coalesce(sum(job_hold.amount_micros), 0) AS amount_micros, count(job_id) AS jobs
    FROM page LEFT JOIN (SELECT * FROM hold WHERE state = 'held') AS job_hold USING (account_id) GROUP BY account_id
  )
  ${select(WALLET_RULES)}`;

export const FIND_LEDGER_VIOLATIONS_SQL = select(LEDGER_RULES);

/** The ends of the references of entries about a debt, and of those that return an amount. */
const OWING = [' owed', ' forgiven', ' returned'];

/** Each reads the rows after an id, and returns the last id with the violations. */
export const PAGES_OF_A_FULL_RUN = {
  holds: pageOf('hold', 'job_id', `job AS (SELECT job_id FROM page WHERE state <> 'barred')`, {
    job_is_reserved_and_ended_once: jobIsReservedAndEndedOnce(`${FIRST_OF_JOBS} AND ${LAST_OF_JOBS}`),
  }),
  payments: pageOf('payment', 'id', 'paid AS (SELECT id AS payment_id, account_id FROM page)', {
    payment_is_entered_once,
  }),
  checkouts: pageOf('checkout', 'id', movedRow(['checkout'], `state = 'paid'`, 'amount_micros'), {
    payment_moves_its_amount,
  }),
  refunds: pageOf(
    'payment_refund',
    'id',
    movedRow(['payment_refund', ...OWING], `state <> 'failed'`, '-amount_micros'),
    {
      payment_moves_its_amount,
    },
  ),
  disputes: pageOf('dispute', 'id', movedRow(['dispute', ...OWING], `state <> 'won'`, '-amount_micros'), {
    payment_moves_its_amount,
  }),
  budgets: pageOf('key_budget', 'api_key_id', 'unused AS (SELECT 1)', BUDGET_RULES),
} as const;

/** The rows of the page with the references of their entries, and the amount that they stand for. */
function movedRow([kind, ...parts]: string[], stands: string, amount: string): string {
  const references = ['', ...parts].map((part) => `'${kind} ' || id || '${part}'`);
  return `moved_row AS (SELECT account_id, ARRAY[${references.join(', ')}] AS names,
                          CASE WHEN ${stands} THEN ${amount} ELSE 0 END AS paid_in FROM page)`;
}

function pageOf(table: string, id: string, rows: string, rules: Record<string, string>): string {
  return `
    WITH page AS MATERIALIZED (SELECT * FROM ${table} WHERE ${id} > $1 ORDER BY ${id} LIMIT $2), ${rows}
    SELECT (SELECT ${id} FROM page ORDER BY ${id} DESC LIMIT 1) AS last_id, (SELECT count(*) FROM page) AS rows,
           coalesce((SELECT json_agg(found) FROM (${select(rules)}) AS found), '[]') AS violations`;
}

function select(rules: Record<string, string>): string {
  const found = Object.entries(rules).map(
    ([rule, sql]) => `SELECT '${rule}' AS rule, found.* FROM (${sql}) AS found (account_id, detail)`,
  );
  return `${found.join(' UNION ALL ')} LIMIT ${MAX_VIOLATIONS}`;
}
