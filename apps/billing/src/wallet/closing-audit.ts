import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addLines, closingProblems, type LedgerClosing, openMonth } from '@kinora/contracts/billing/ledger-month';
import { lastArchived } from './ledger-archive.repository';
import { LedgerCheckpointRepository } from './ledger-checkpoint.repository';
import { type EntryRange, LedgerClosingRepository, type LedgerMonth } from './ledger-closing.repository';
import type { Violation } from './ledger-rules';
import type { Transactions } from './wallet-audit';

/** Violated by a closing whose sums do not lead from one month to the next, and by one that is not what its entries are. */
export const CLOSING_RULES = ['closing_adds_up', 'closing_equals_entries'] as const;

const ACCOUNTS_AT_ONCE = 100;
/** Of closings that one statement reads, and of whose first lines it reads. Most accounts have few entries in a month. */
const STRETCHES_AT_ONCE = 100;
const LINES_OF_EACH = 20;
const LINES_AT_ONCE = 2_000;

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A page of accounts, with the closings of each in the order of their months. */
interface ClosedAccounts {
  accountIds: string[];
  months: LedgerMonth[];
  closings: Map<string, LedgerClosing[]>;
}

/** Compares each closing of a page of accounts with the one before it. */
export async function auditClosings(
  database: Transactions,
  after: string,
): Promise<{ violations: Violation[]; next: string | null }> {
  const { accountIds, closings } = await readAccounts(database, after);
  const violations = [...closings].flatMap(([account_id, ofAccount]) =>
    ofAccount.flatMap((closing, place) =>
      closingProblems(closing, ofAccount[place - 1] ?? null).map((detail) => ({
        ...{ rule: CLOSING_RULES[0], account_id, detail },
      })),
    ),
  );
  return { violations, next: nextOf(accountIds) };
}

interface RereadClosings {
  violations: Violation[];
  /** The account after which to continue, and what has been read of the next one; null after the last. */
  next: { after: string; closing?: LedgerClosing } | null;
}

/** Makes the closings of a page of accounts again from their entries, and compares them. */
export async function rereadClosings(
  database: Transactions,
  { after, closing: begun = null }: { after: string; closing?: LedgerClosing | null },
  isTimeUp: () => boolean,
): Promise<RereadClosings> {
  const { accountIds, months, closings } = await readAccounts(database, after);
  const stretches = accountIds.flatMap((id) => stretchesOf(id, closings.get(id) ?? [], months, begun));
  const violations: Violation[] = [];
  for (let place = 0; place < stretches.length; place += STRETCHES_AT_ONCE) {
    const some = stretches.slice(place, place + STRETCHES_AT_ONCE);
    const read = await readLines(database, some, LINES_OF_EACH);
    for (const { range, stored, ...stretch } of some) {
      const lines = read.get(range) ?? [];
      let found = addLines(stretch.begun, lines, sha256);
      for (let hasMore = lines.length === LINES_OF_EACH; hasMore;) {
        const next = { ...range, afterId: found.last_entry_id };
        const more = (await readLines(database, [{ range: next }], LINES_AT_ONCE)).get(next) ?? [];
        found = addLines(found, more, sha256);
        hasMore = more.length === LINES_AT_ONCE;
        const previous = accountIds[accountIds.indexOf(range.accountId) - 1] ?? after;
        if (hasMore && isTimeUp()) return { violations, next: { after: previous, closing: found } };
      }
      violations.push(...compare(found, stored));
    }
  }
  const next = nextOf(accountIds);
  return { violations, next: next === null ? null : { after: next } };
}

function readLines(
  database: Transactions,
  stretches: { range: EntryRange }[],
  limit: number,
): Promise<Map<EntryRange, string[]>> {
  const ranges = stretches.map(({ range }) => range);
  return database.transaction((transaction) => new LedgerClosingRepository(transaction).readLines(ranges, limit));
}

interface ClosedStretch {
  range: EntryRange;
  /** Null for an account without closings of kept months, which must have no entry. */
  stored: LedgerClosing | null;
  /** The sums of the entries before the range. */
  begun: LedgerClosing;
}

/** Up to the end of the last closed month. An entry of a month without a closing is found in the next one that has one, or the last. */
function stretchesOf(
  accountId: string,
  closings: LedgerClosing[],
  months: LedgerMonth[],
  begun: LedgerClosing | null,
): ClosedStretch[] {
  const { month: lastMonth, end_id: lastEndId } = months.at(-1) ?? { month: '', end_id: 0 };
  const resumed = begun?.account_id === accountId ? begun : null;
  const toStretch = (stored: LedgerClosing | null, place: number): ClosedStretch => {
    const month = stored?.month ?? lastMonth;
    const opened = resumed?.month === month ? resumed : openMonth(accountId, month, closings[place - 1] ?? null);
    const ownEndId = months.find((closed) => closed.month === month)?.end_id ?? lastEndId;
    const endId = place < closings.length - 1 ? ownEndId : lastEndId;
    return { range: { accountId, afterId: opened.last_entry_id, endId }, stored, begun: opened };
  };
  const archivedMonth = lastArchived(months)?.month ?? '';
  const kept = closings.map(toStretch).filter(({ begun: { month } }) => month > archivedMonth);
  const stretches = kept.length === 0 ? [toStretch(null, closings.length)] : kept;
  return stretches.filter((stretch) => stretch.begun.month >= (resumed?.month ?? ''));
}

function compare(found: LedgerClosing, stored: LedgerClosing | null): Violation[] {
  if (stored ? isDeepStrictEqual(found, stored) : found.entries === 0) return [];
  const { account_id, month, entries } = found;
  const detail =
    entries === stored?.entries
      ? `the ${entries} entries of ${month} are not what they were`
      : `${month} was closed with ${stored?.entries ?? 0} entries, there are ${entries}`;
  return [{ rule: CLOSING_RULES[1], account_id, detail }];
}

/** No account, where no month is closed. */
function readAccounts(database: Transactions, after: string): Promise<ClosedAccounts> {
  return database.transaction(async (transaction) => {
    const repository = new LedgerClosingRepository(transaction);
    const months = await repository.listClosedMonths();
    const last = months.at(-1);
    if (!last) return { accountIds: [], months, closings: new Map() };
    const accountIds = await new LedgerCheckpointRepository(transaction).listAccounts(after, ACCOUNTS_AT_ONCE);
    const listed = await repository.listOfAccounts(accountIds, last.month);
    return {
      accountIds,
      months,
      closings: new Map(accountIds.map((id) => [id, listed.filter(({ account_id }) => account_id === id)])),
    };
  });
}

function nextOf(accountIds: string[]): string | null {
  return accountIds.length === ACCOUNTS_AT_ONCE ? (accountIds.at(-1) ?? null) : null;
}
