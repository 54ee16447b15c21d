import type { LedgerBooks } from '@kinora/contracts/billing/ledger-report';
import { type Database, type Queryable, statement } from '@kinora/database';
import { LedgerCheckpointRepository, NEWEST_ENTRY, type SumsByAccount } from './ledger-checkpoint.repository';
import { type Findings, noFindings } from './ledger-report';
import { BOOK_SQL, FIND_LEDGER_VIOLATIONS_SQL, FIND_WALLET_VIOLATIONS_SQL, type Violation } from './ledger-rules';
import { NO_ENTRIES, addStretch } from './running-sums';

/** So many accounts are compared by one statement. */
const ACCOUNTS_AT_ONCE = 500;
/** So many entries are read by one statement, about a second's work. */
export const ENTRIES_AT_ONCE = 20_000;

const FIND_WALLET_VIOLATIONS = statement('ledger_find_wallet_violations', FIND_WALLET_VIOLATIONS_SQL);
const FIND_LEDGER_VIOLATIONS = statement('ledger_find_violations', FIND_LEDGER_VIOLATIONS_SQL);

const SUM_BOOKS = statement(
  'ledger_sum_books',
  `WITH ${BOOK_SQL}
   SELECT ${['available', 'held', 'top_ups', 'credits'].map((book) => `coalesce(sum(${book}), 0)::bigint AS ${book}_micros`).join(', ')},
          coalesce(sum(spent), 0)::bigint AS revenue_micros,
          (SELECT coalesce(sum(entries), 0)::bigint FROM ledger_checkpoint WHERE account_id = ANY($1::uuid[]))
          + (SELECT count(*) FROM page LEFT JOIN ledger_checkpoint USING (account_id), LATERAL (
               SELECT FROM ledger_entry WHERE ledger_entry.account_id = page.account_id AND id > coalesce(entry_id, 0) OFFSET 0
             ) AS later) AS entries
   FROM book`,
);

export type Transactions = Pick<Database, 'transaction'>;

export interface AuditedPage {
  found: Findings;
  /** Behind which account the next page begins: the one that this page began behind, where there was no time for all of it. */
  next: string | null;
}

/**
 * Compares wallets with what their entries add up to: the sums of the last run, and what came since. New entries are read in
 * stretches, each of which moves its account's checkpoint, so that a run that had too little time is gone on with by the next.
 */
export async function auditWallets(
  database: Transactions,
  afterAccountId: string,
  isTimeUp: () => boolean,
): Promise<AuditedPage> {
  const accountIds = await database.transaction((transaction) =>
    new LedgerCheckpointRepository(transaction).listAccounts(afterAccountId, ACCOUNTS_AT_ONCE),
  );
  const violations: Violation[] = [];
  const unread = new Set<string>();
  let behind = accountIds;
  do {
    const advance = await database.transaction((transaction) => advanceCheckpoints(transaction, behind));
    violations.push(...advance.violations);
    for (const id of advance.stuck) unread.add(id);
    behind = advance.behind;
  } while (behind.length > 0 && !isTimeUp());
  if (behind.length > 0) return { found: noFindings(), next: afterAccountId };

  const found = await database.transaction((transaction) => compareWallets(transaction, accountIds, unread));
  found.violations.unshift(...violations);
  return { found, next: accountIds.length === ACCOUNTS_AT_ONCE ? (accountIds.at(-1) ?? null) : null };
}

/** What is looked at once, not for each account. */
export function auditLedger(database: Transactions): Promise<Violation[]> {
  return database.transaction((transaction) => transaction.query<Violation>(FIND_LEDGER_VIOLATIONS));
}

interface Advance {
  violations: Violation[];
  /** Accounts with more entries to read. */
  behind: string[];
  /** Accounts whose entries break a rule before all of them were read. */
  stuck: string[];
}

/** A checkpoint never passes an entry that breaks a rule, so that every run meets it again. */
async function advanceCheckpoints(transaction: Queryable, accountIds: string[]): Promise<Advance> {
  if (accountIds.length === 0) return { violations: [], behind: [], stuck: [] };
  const checkpoints = new LedgerCheckpointRepository(transaction);
  await checkpoints.lock();
  const known = await checkpoints.find(accountIds);
  const limit = Math.floor(ENTRIES_AT_ONCE / accountIds.length);
  const from = (accountId: string) => known.get(accountId) ?? NO_ENTRIES;
  const stretches = accountIds.map((accountId) => ({ accountId, from: from(accountId), lastEntryId: NEWEST_ENTRY }));
  const read = await checkpoints.readStretches(stretches, limit);
  const touched = [...read].map(([accountId, { entry_id }]) => ({
    accountId,
    from: from(accountId),
    lastEntryId: entry_id,
  }));
  const violations = touched.length > 0 ? await checkpoints.findEntryViolations(touched, limit) : [];

  const sound = soundAccounts(read, violations);
  await checkpoints.store(
    new Map([...read].flatMap(([id, sums]) => (sound(id) ? [[id, addStretch(from(id), sums)]] : []))),
  );
  const full = [...read].filter(([, { entries }]) => entries === limit).map(([id]) => id);
  return { violations, behind: full.filter(sound), stuck: full.filter((id) => !sound(id)) };
}

/** A violation may name another account than the one whose entry led to it; then it is not known which one is meant. */
function soundAccounts(read: SumsByAccount, violations: Violation[]): (accountId: string) => boolean {
  const named = new Set(violations.map(({ account_id }) => account_id ?? ''));
  const isOfOthers = [...named].some((id) => !read.has(id));
  return (accountId) => !isOfOthers && !named.has(accountId);
}

/** One moment for each statement: money in motion is never taken for money that is missing. */
async function compareWallets(transaction: Queryable, accountIds: string[], unread: Set<string>): Promise<Findings> {
  const wholeIds = accountIds.filter((id) => !unread.has(id));
  const sums = await transaction.findOne<LedgerBooks & { entries: number }>(SUM_BOOKS, [accountIds]);
  if (!sums) throw new Error('A sum has no row.');
  const { entries, ...books } = sums;
  const violations = await transaction.query<Violation>(FIND_WALLET_VIOLATIONS, [wholeIds]);
  return { accounts: accountIds.length, entries, books, violations };
}
