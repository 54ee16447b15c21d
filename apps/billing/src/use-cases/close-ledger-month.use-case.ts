import { Injectable } from '@nestjs/common';
import { addLines, openMonth } from '@kinora/contracts/billing/ledger-month';
import { Database, monthAfter } from '@kinora/database';
import { BillingConfig } from '../billing.config';
import { sha256 } from '../wallet/closing-audit';
import { LedgerCheckpointRepository } from '../wallet/ledger-checkpoint.repository';
import { LedgerClosingRepository, type LedgerMonth } from '../wallet/ledger-closing.repository';

const DAY_MS = 24 * 60 * 60_000;
const ACCOUNTS_AT_ONCE = 10;
/** Of each account. The lines of one part are parsed and hashed within milliseconds, for which requests wait. */
const LINES_AT_ONCE = 200;

/**
 * Closes the months of the ledger, one after the other, and each some days after its end. An entry belongs to a month by its id:
 * the month ends before the first entry that was written after its end. A part of the work is one transaction, which also stores
 * how far the month is closed: after a crash, any replica continues.
 */
@Injectable()
export class CloseLedgerMonth {
  constructor(
    private readonly config: BillingConfig,
    private readonly database: Database,
  ) {}

  /** Does a part of the work. @returns whether more of it is due */
  async execute(now = new Date()): Promise<boolean> {
    const months = new LedgerClosingRepository(this.database);
    const last = await months.findLastMonth();
    if (last?.closed_at === null) return this.closeAccounts(months, last);
    const begin = last
      ? monthAfter(new Date(last.month), 1)
      : (await months.findEntry(0, (await months.findNewestId()) + 1))?.created_at;
    if (!begin || now.getTime() < monthAfter(begin, 1).getTime() + this.config.ledgerCloseAfterDays * DAY_MS)
      return false;
    await months.begin(begin.toISOString().slice(0, 7), await findEnd(months, last?.end_id ?? 0, monthAfter(begin, 1)));
    return true;
  }

  /** One replica at a time: the row of the month is locked. */
  private async closeAccounts(months: LedgerClosingRepository, month: LedgerMonth): Promise<boolean> {
    const accountIds = await new LedgerCheckpointRepository(this.database).listAccounts(
      month.after_account_id,
      ACCOUNTS_AT_ONCE,
    );
    // An entry draws its id under the lock of the wallet, and may be committed later. Past this line, none with an id of the month
    // can appear any more.
    for (const accountId of accountIds) await months.awaitMoves(accountId);
    return this.database.transaction(async (transaction) => {
      const closings = new LedgerClosingRepository(transaction);
      if (!(await closings.claim(month))) return false;
      const lastId = accountIds.at(-1);
      if (lastId === undefined) await closings.close(month);
      else if (await addEntries(closings, month, accountIds)) await closings.advance(month, lastId);
      return true;
    });
  }
}

/** @returns whether all entries of the accounts in the month have been added */
async function addEntries(
  closings: LedgerClosingRepository,
  { month, end_id }: LedgerMonth,
  accountIds: string[],
): Promise<boolean> {
  const before = await closings.findBefore(accountIds, month);
  const beginId = await closings.findClosedEnd();
  const ranges = accountIds.map((accountId) => ({
    ...{ accountId, afterId: Math.max(before.get(accountId)?.last_entry_id ?? 0, beginId - 1), endId: end_id },
  }));
  const read = await closings.readLines(ranges, LINES_AT_ONCE);
  const changed = [...read].filter(([, lines]) => lines.length > 0);
  await closings.store(
    changed.map(([{ accountId }, lines]) => {
      const last = before.get(accountId) ?? null;
      return addLines(last?.month === month ? last : openMonth(accountId, month, last), lines, sha256);
    }),
  );
  return changed.every(([, lines]) => lines.length < LINES_AT_ONCE);
}

/** The id before which the month ends, by bisection: ids and times have the same order, but for entries of one moment. */
async function findEnd(entries: LedgerClosingRepository, from: number, time: Date): Promise<number> {
  let low = from;
  let high = (await entries.findNewestId()) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await entries.findEntry(middle, high);
    if (entry && entry.created_at < time) low = entry.id + 1;
    else high = middle;
  }
  return low;
}
