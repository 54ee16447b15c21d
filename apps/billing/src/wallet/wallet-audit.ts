import type { LedgerReport } from '@kinora/contracts/billing/ledger.rpc';
import { type Database, type Queryable, statement } from '@kinora/database';
import { readArchivedSums } from './ledger-archive.repository';
import {
  addBooks,
  addStretch,
  type Books,
  LedgerCheckpointRepository,
  NEWEST_ENTRY,
  NO_BOOKS,
  NO_ENTRIES,
  type RunningSums,
  type SumsByAccount,
} from './ledger-checkpoint.repository';
import { withIds } from './ledger-bounds';
import { LedgerClosingRepository } from './ledger-closing.repository';
import {
  BOOK_SQL,
  FIND_LEDGER_VIOLATIONS_SQL,
  FIND_WALLET_VIOLATIONS_SQL,
  MAX_VIOLATIONS,
  type Violation,
} from './ledger-rules';

export type Findings = Pick<LedgerReport, 'accounts' | 'entries' | 'violations'> & { books: Books };

export function noFindings(violations: Violation[] = []): Findings {
  return { accounts: 0, entries: 0, books: { ...NO_BOOKS }, violations };
}

/** Joins the findings of two consecutive parts. */
export function joinFindings(first: Findings, second: Findings): Findings {
  return {
    accounts: first.accounts + second.accounts,
    entries: first.entries + second.entries,
    books: addBooks(first.books, second.books),
    violations: [...first.violations, ...second.violations].slice(0, MAX_VIOLATIONS),
  };
}

/** Number of accounts that one statement compares. */
const ACCOUNTS_AT_ONCE = 500;
/** Number of entries that one statement reads, which takes about a second. */
export const ENTRIES_AT_ONCE = 20_000;

const FIND_WALLET_VIOLATIONS = statement('ledger_find_wallet_violations', FIND_WALLET_VIOLATIONS_SQL);
const FIND_LEDGER_VIOLATIONS = statement('ledger_find_violations', FIND_LEDGER_VIOLATIONS_SQL);

const SUM_BOOKS = statement(
  'ledger_sum_books',
  `WITH ${BOOK_SQL}
   SELECT ${['available', 'held', 'top_ups', 'credits', 'debts'].map((book) => `coalesce(sum(${book}), 0)::bigint AS ${book}_micros`).join(', ')},
          coalesce(sum(spent), 0)::bigint AS revenue_micros,
          (SELECT coalesce(sum(entries), 0)::bigint FROM ledger_checkpoint WHERE account_id = ANY($1::uuid[]))
          + (SELECT count(*) FROM page LEFT JOIN ledger_checkpoint USING (account_id), LATERAL (
               SELECT FROM ledger_entry WHERE ledger_entry.account_id = page.account_id AND id > coalesce(entry_id, 0) AND id >= $2 OFFSET 0
             ) AS later) AS entries
   FROM book`,
);

export type Transactions = Pick<Database, 'transaction'>;

interface AuditedPage {
  found: Findings;
  /** The account after which the next page begins: unchanged if the time was too short for this page. */
  next: string | null;
}

/**
 * Compares wallets with the sums of their entries: the last checkpoint plus later entries. New entries are read in
 * ranges, each of which advances its account's checkpoint. A run that exceeds its time is continued by the next run.
 */
export async function auditWallets(
  database: Transactions,
  afterAccountId: string,
  isTimeUp: () => boolean,
): Promise<AuditedPage> {
  const accountIds = await database.transaction((transaction) =>
    new LedgerCheckpointRepository(transaction).listAccounts(afterAccountId, ACCOUNTS_AT_ONCE),
  );
  const closedEnd = await database.transaction((transaction) =>
    new LedgerClosingRepository(transaction).findClosedEnd(),
  );
  const violations: Violation[] = [];
  const unread = new Set<string>();
  let behind = accountIds;
  do {
    const advance = await database.transaction((transaction) => advanceCheckpoints(transaction, behind, closedEnd));
    violations.push(...advance.violations);
    for (const id of advance.stuck) unread.add(id);
    behind = advance.behind;
  } while (behind.length > 0 && !isTimeUp());
  if (behind.length > 0) return { found: noFindings(), next: afterAccountId };

  // A checkpoint before a violation may be before the end of the closed months.
  const firstId = violations.length > 0 ? 0 : closedEnd;
  const found = await database.transaction((transaction) =>
    compareWallets(transaction, accountIds, { unread, firstId }),
  );
  found.violations.unshift(...violations);
  return { found, next: accountIds.length === ACCOUNTS_AT_ONCE ? (accountIds.at(-1) ?? null) : null };
}

/** Checks the rules about the whole ledger. */
export function auditLedger(database: Transactions): Promise<Violation[]> {
  return database.transaction((transaction) => transaction.query<Violation>(FIND_LEDGER_VIOLATIONS));
}

interface Advance {
  violations: Violation[];
  /** Accounts with more entries to read. */
  behind: string[];
  /** Accounts with a violation, whose later entries are not read. */
  stuck: string[];
}

/** A checkpoint never advances over an entry that violates a rule, so every run reports it again. */
async function advanceCheckpoints(transaction: Queryable, accountIds: string[], closedEnd: number): Promise<Advance> {
  if (accountIds.length === 0) return { violations: [], behind: [], stuck: [] };
  const checkpoints = new LedgerCheckpointRepository(transaction);
  await checkpoints.lock();
  const known = await checkpoints.find(accountIds);
  const unknown = accountIds.filter((id) => known.get(id) === NO_ENTRIES);
  const archived = unknown.length > 0 ? (await readArchivedSums(transaction, unknown)).sums : [];
  for (const [id, sums] of archived) known.set(id, sums);
  const isBefore = ([, { entry_id }]: [string, RunningSums]) => entry_id + 1 < closedEnd;
  const unread = await checkpoints.findUnread(new Map([...known].filter(isBefore)));
  const firstIdOf = (accountId: string) => (unread.has(accountId) ? 0 : closedEnd);
  const limit = Math.floor(ENTRIES_AT_ONCE / accountIds.length);
  const from = (accountId: string) => known.get(accountId) ?? NO_ENTRIES;
  const toStretch = (accountId: string, lastEntryId: number) => ({
    ...{ accountId, lastEntryId, from: from(accountId), firstId: firstIdOf(accountId) },
  });
  const stretches = accountIds.map((accountId) => toStretch(accountId, NEWEST_ENTRY));
  const read = await checkpoints.readStretches(stretches, limit);
  const touched = [...read].map(([accountId, { entry_id }]) => toStretch(accountId, entry_id));
  const violations = touched.length > 0 ? await checkpoints.findEntryViolations(touched, limit) : [];

  const sound = soundAccounts(read, violations);
  await checkpoints.store(
    new Map([...read].flatMap(([id, sums]) => (sound(id) ? [[id, addStretch(from(id), sums)]] : []))),
  );
  const full = [...read].filter(([, { entries }]) => entries === limit).map(([id]) => id);
  return { violations, behind: full.filter(sound), stuck: full.filter((id) => !sound(id)) };
}

/**
 * A violation may name another account than the one whose entry led to it. Then the affected account is unknown, and no
 * checkpoint advances.
 */
function soundAccounts(read: SumsByAccount, violations: Violation[]): (accountId: string) => boolean {
  const named = new Set(violations.map(({ account_id }) => account_id ?? ''));
  const isOfOthers = [...named].some((id) => !read.has(id));
  return (accountId) => !isOfOthers && !named.has(accountId);
}

/** Each statement reads one snapshot, so a concurrent move of money is never reported as missing money. */
async function compareWallets(
  transaction: Queryable,
  accountIds: string[],
  { unread, firstId }: { unread: Set<string>; firstId: number },
): Promise<Findings> {
  const wholeIds = accountIds.filter((id) => !unread.has(id));
  const sumBooks = withIds(SUM_BOOKS, { $2: firstId });
  const sums = await transaction.findOne<Books & { entries: number }>(sumBooks, [accountIds]);
  if (!sums) throw new Error('The sum of the books returned no row.');
  const { entries, ...books } = sums;
  const findViolations = withIds(FIND_WALLET_VIOLATIONS, { $2: firstId });
  const violations = await transaction.query<Violation>(findViolations, [wholeIds]);
  return { accounts: accountIds.length, entries, books, violations };
}
