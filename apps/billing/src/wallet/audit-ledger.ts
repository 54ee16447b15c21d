import type { LedgerBooks, LedgerReport } from '@kinora/contracts/billing/billing-admin.rpc';
import { type Queryable, statement } from '@kinora/database';
import { NIL } from 'uuid';
import { FIND_ACCOUNT_VIOLATIONS_SQL, FIND_LEDGER_VIOLATIONS_SQL, MAX_VIOLATIONS } from './ledger-rules';

/** So many accounts are read by one statement: its memory does not grow with their number. */
const PAGE = 500;

/**
 * An account may have a long history: what bounds every other statement would end this one, which may also read whole
 * tables, as others may not.
 */
const ALLOW_A_MINUTE = statement(
  'ledger_allow_a_minute',
  `SELECT set_config('statement_timeout', '60s', true), set_config('enable_seqscan', 'on', true),
          set_config('enable_bitmapscan', 'on', true)`,
);
/** PostgreSQL's own limit, which says why, must end the statement first. */
const A_MINUTE_AND_A_BIT = { timeoutMs: 65_000 };

const LIST_ACCOUNTS = statement(
  'ledger_list_accounts',
  `SELECT account_id FROM wallet WHERE account_id > $1 ORDER BY account_id LIMIT ${PAGE}`,
);

const SUM_BOOKS = statement(
  'ledger_sum_books',
  `SELECT count(*) AS entries,
          ${['available', 'held', 'revenue', 'top_ups', 'credits'].map(sumOfBook).join(', ')}
   FROM ledger_entry WHERE account_id = ANY($1::uuid[])`,
  A_MINUTE_AND_A_BIT,
);

const FIND_ACCOUNT_VIOLATIONS = statement(
  'ledger_find_account_violations',
  FIND_ACCOUNT_VIOLATIONS_SQL,
  A_MINUTE_AND_A_BIT,
);

const FIND_LEDGER_VIOLATIONS = statement('ledger_find_violations', FIND_LEDGER_VIOLATIONS_SQL);

type Violation = LedgerReport['violations'][number];

/** Recomputes the accounts of one page from their entries, and trusts nothing that is derived. */
export async function auditPage(transaction: Queryable, afterAccountId: string | null): Promise<LedgerReport> {
  await transaction.execute(ALLOW_A_MINUTE);
  const rows = await transaction.query<{ account_id: string }>(LIST_ACCOUNTS, [afterAccountId ?? NIL]);
  const accountIds = rows.map(({ account_id }) => account_id);
  const books = await transaction.findOne<LedgerBooks & { entries: number }>(SUM_BOOKS, [accountIds]);
  if (!books) throw new Error('a sum has no row');
  const { entries, ...sums } = books;
  const found = await transaction.query<Violation>(FIND_ACCOUNT_VIOLATIONS, [accountIds]);
  const inGeneral = afterAccountId === null ? await transaction.query<Violation>(FIND_LEDGER_VIOLATIONS) : [];
  const violations = [...inGeneral, ...found];
  return {
    ok: violations.length === 0,
    accounts: accountIds.length,
    entries,
    books: sums,
    violations,
    next_account_id: accountIds.length === PAGE ? (accountIds.at(-1) ?? null) : null,
  };
}

/** The report on two stretches of accounts, the second of which follows the first. */
export function joinReports(first: LedgerReport, second: LedgerReport): LedgerReport {
  return {
    ok: first.ok && second.ok,
    accounts: first.accounts + second.accounts,
    entries: first.entries + second.entries,
    books: {
      available_micros: first.books.available_micros + second.books.available_micros,
      held_micros: first.books.held_micros + second.books.held_micros,
      revenue_micros: first.books.revenue_micros + second.books.revenue_micros,
      top_ups_micros: first.books.top_ups_micros + second.books.top_ups_micros,
      credits_micros: first.books.credits_micros + second.books.credits_micros,
    },
    violations: [...first.violations, ...second.violations].slice(0, MAX_VIOLATIONS),
    next_account_id: second.next_account_id,
  };
}

/** What came into a book less what left it. */
function sumOfBook(book: string): string {
  return `coalesce(sum(CASE '${book}' WHEN credit THEN amount_micros WHEN debit THEN -amount_micros END), 0)::bigint
            AS ${book}_micros`;
}
