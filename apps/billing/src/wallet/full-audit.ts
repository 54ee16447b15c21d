import { type Queryable, statement } from '@kinora/database';
import type { ClosedSums } from './ledger-archive.repository';
import {
  addStretch,
  isSame,
  LedgerCheckpointRepository,
  NO_ENTRIES,
  type RunningSums,
  type SumsByAccount,
} from './ledger-checkpoint.repository';
import { CHECKPOINT_RULE, PAGES_OF_A_FULL_RUN, type Violation } from './ledger-rules';
import { ENTRIES_AT_ONCE, type Transactions } from './wallet-audit';

const ACCOUNTS_AT_ONCE = 100;

/** A capped key may have a month of many holds: the usual statement timeout would cancel this statement. */
const ALLOW_A_MINUTE = statement('ledger_allow_a_minute', `SELECT set_config('statement_timeout', '60s', true)`);
/** Longer than PostgreSQL's timeout, which must cancel the statement first, because it reports why. */
const A_MINUTE_AND_A_BIT = { timeoutMs: 65_000 };

const PAGES = {
  holds: { of: statement('ledger_check_holds', PAGES_OF_A_FULL_RUN.holds), rows: 5_000 },
  payments: { of: statement('ledger_check_payments', PAGES_OF_A_FULL_RUN.payments), rows: 5_000 },
  checkouts: { of: statement('ledger_check_checkouts', PAGES_OF_A_FULL_RUN.checkouts), rows: 5_000 },
  refunds: { of: statement('ledger_check_refunds', PAGES_OF_A_FULL_RUN.refunds), rows: 5_000 },
  disputes: { of: statement('ledger_check_disputes', PAGES_OF_A_FULL_RUN.disputes), rows: 5_000 },
  budgets: { of: statement('ledger_check_budgets', PAGES_OF_A_FULL_RUN.budgets, A_MINUTE_AND_A_BIT), rows: 50 },
} as const;

/** How far the entries of one account have been read again. */
export interface Reread {
  accountId: string;
  sums: RunningSums;
}

interface RereadPage {
  violations: Violation[];
  /** The account after which to continue, and how far the next one has been read; null after the last. */
  next: { after: string; reread?: Reread } | null;
}

/** Of closed or archived months: the sums of the accounts that have entries in them. */
type ReadClosed = (on: Queryable, accountIds: string[]) => Promise<ClosedSums>;

/**
 * Reads already verified entries again, from an account's first one that is kept, or that is in no closed month, to its
 * checkpoint, and compares the sums. An account with a long history takes several calls; each continues where the last one stopped.
 */
export async function rereadEntries(
  database: Transactions,
  { after, reread: begun }: { after: string; reread?: Reread },
  isTimeUp: () => boolean,
  readClosed: ReadClosed,
): Promise<RereadPage> {
  const { accountIds, checkpoints, closed } = await database.transaction(async (transaction) => {
    const repository = new LedgerCheckpointRepository(transaction);
    const listed = await repository.listAccounts(after, ACCOUNTS_AT_ONCE);
    return {
      ...{ accountIds: listed, checkpoints: await repository.find(listed) },
      closed: await readClosed(transaction, listed),
    };
  });
  const sums: SumsByAccount = new Map(
    accountIds.map((id) => [id, id === begun?.accountId ? begun.sums : sumsOf(closed.sums, id)]),
  );
  const reread = { sums, checkpoints, firstId: closed.endId };
  const first = await readOn(database, accountIds, reread);
  const violations: Violation[] = [];
  let previous = after;
  for (const id of accountIds) {
    violations.push(...first.violations.filter(({ account_id }) => account_id === id));
    for (let hasMore = first.unfinished.has(id); hasMore;) {
      if (isTimeUp())
        return { violations, next: { after: previous, reread: { accountId: id, sums: sumsOf(sums, id) } } };
      const more = await readOn(database, [id], reread);
      violations.push(...more.violations);
      hasMore = more.unfinished.has(id);
    }
    // Only archived closings have a chain of checkpoints.
    const isChained = closed.sums.get(id)?.chain !== '';
    const found = isChained ? sumsOf(sums, id) : { ...sumsOf(sums, id), chain: sumsOf(checkpoints, id).chain };
    violations.push(...compare(id, found, sumsOf(checkpoints, id)));
    previous = id;
  }
  return { violations, next: accountIds.length === ACCOUNTS_AT_ONCE ? { after: previous } : null };
}

/** Audits a page of rows that must have entries. This finds missing entries, which an audit of the entries cannot. */
export async function auditRows(
  database: Transactions,
  kind: keyof typeof PAGES,
  after: string,
): Promise<{ violations: Violation[]; next: string | null }> {
  const { of, rows: limit } = PAGES[kind];
  const page = await database.transaction(async (transaction: Queryable) => {
    await transaction.execute(ALLOW_A_MINUTE);
    return transaction.findOne<{ last_id: string | null; rows: number; violations: Violation[] }>(of, [after, limit]);
  });
  if (!page) throw new Error('The audit statement returned no row.');
  return { violations: page.violations, next: page.rows === limit ? page.last_id : null };
}

/** Reads the next entries of each account and adds them to its sums. */
async function readOn(
  database: Transactions,
  accountIds: string[],
  { sums, checkpoints, firstId }: { sums: SumsByAccount; checkpoints: SumsByAccount; firstId: number },
): Promise<{ violations: Violation[]; unfinished: Set<string> }> {
  if (accountIds.length === 0) return { violations: [], unfinished: new Set() };
  const limit = Math.floor(ENTRIES_AT_ONCE / accountIds.length);
  const stretches = accountIds.map((accountId) => ({
    ...{ accountId, firstId },
    from: sumsOf(sums, accountId),
    lastEntryId: sumsOf(checkpoints, accountId).entry_id,
  }));
  const { read, violations } = await database.transaction(async (transaction) => {
    const repository = new LedgerCheckpointRepository(transaction);
    return {
      read: await repository.readStretches(stretches, limit),
      violations: await repository.findEntryViolations(stretches, limit),
    };
  });
  for (const [id, stretch] of read) sums.set(id, addStretch(sumsOf(sums, id), stretch));
  return {
    violations,
    unfinished: new Set([...read].filter(([, { entries }]) => entries === limit).map(([id]) => id)),
  };
}

function compare(account_id: string, found: RunningSums, verified: RunningSums): Violation[] {
  // A checkpoint that has stopped before a violation may be behind the last closing.
  if (isSame(found, verified) || found.entry_id > verified.entry_id) return [];
  const counts = `${found.entries} entries up to ${verified.entry_id}, ${verified.entries} were verified`;
  const detail = found.entries === verified.entries ? `${counts}, and some of them are not what they were` : counts;
  return [{ rule: CHECKPOINT_RULE, account_id, detail }];
}

function sumsOf(sums: SumsByAccount, accountId: string): RunningSums {
  return sums.get(accountId) ?? NO_ENTRIES;
}
