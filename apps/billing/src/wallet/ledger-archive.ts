import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Database, monthAfter } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { BillingConfig } from '../billing.config';
import { type ClosedAccount, LedgerArchiveRepository } from './ledger-archive.repository';
import { addStretch, isSame, LedgerCheckpointRepository, NO_ENTRIES } from './ledger-checkpoint.repository';
import { LedgerClosingRepository, type LedgerMonth } from './ledger-closing.repository';
import { LedgerHourRepository } from './ledger-hour.repository';

const ACCOUNTS_AT_ONCE = 100;
/** Their holds are locked for tens of milliseconds. */
const ENTRIES_AT_ONCE = 2_000;

/** When entries before an id may be dropped. */
export interface Departure {
  /** All months with such entries, oldest first; null while one of them is open. */
  months: LedgerMonth[] | null;
  /** Null where they stay for ever, or while one of the months is open. */
  at: Date | null;
  /** The months of them that no file has. */
  unexported: string[];
}

/** @param closed the closed months, oldest first. @param retentionMonths 0 keeps every entry */
export function planDeparture(endId: number, closed: LedgerMonth[], retentionMonths: number): Departure {
  const last = closed.findIndex(({ end_id }) => end_id >= endId);
  const months = last < 0 ? null : closed.slice(0, last + 1);
  const lastMonth = months?.at(-1)?.month;
  return {
    months,
    at: lastMonth === undefined || retentionMonths === 0 ? null : monthAfter(new Date(lastMonth), 1 + retentionMonths),
    unexported: (months ?? []).filter(({ archive_sha256 }) => archive_sha256 === null).map(({ month }) => month),
  };
}

/** Archives closed months of the ledger: what is read of their entries is kept elsewhere, so that the entries can be dropped. */
@Injectable()
export class LedgerArchive {
  constructor(
    private readonly config: BillingConfig,
    private readonly database: Database,
    private readonly hours: LedgerHourRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** 0 keeps every entry. */
  get retentionMonths(): number {
    return this.config.ledgerRetentionMonths;
  }

  /** @returns when the entries before an id may be dropped, by the months that are closed now */
  async plan(): Promise<(endId: number) => Departure> {
    const closed = await new LedgerClosingRepository(this.database).listClosedMonths();
    return (endId) => planDeparture(endId, closed, this.retentionMonths);
  }

  /** Archives the months of all entries before an id. @returns whether the entries can be dropped */
  async archiveBefore(endId: number, now: Date): Promise<boolean> {
    const { months, at, unexported } = (await this.plan())(endId);
    if (months === null || at === null || at > now || unexported.length > 0) return false;
    for (const { month, archived_at } of months)
      if (archived_at === null && !(await this.archiveMonth(month))) return false;
    return true;
  }

  /** An interrupted run continues with the accounts that are left. @returns false if the entries are not what was closed */
  private async archiveMonth(month: string): Promise<boolean> {
    const archive = new LedgerArchiveRepository(this.database);
    if (!(await this.hours.isSummedUp(monthAfter(new Date(month), 1)))) return this.refuse(month, 'hours are missing');
    let after: string = NIL;
    for (let page = await archive.listUnkept(month, after, ACCOUNTS_AT_ONCE); page.length > 0;) {
      const different = await this.keepAccounts(month, page);
      if (different.length > 0) return this.refuse(month, `accounts differ: ${different.join(', ')}`);
      after = page.at(-1)?.account_id ?? after;
      page = await archive.listUnkept(month, after, ACCOUNTS_AT_ONCE);
    }
    await archive.archive(month);
    this.logger.info({ month }, 'ledger_month_archived');
    return true;
  }

  /** Reads the entries again and keeps what stays of them. @returns the accounts whose entries are not those of their closing, or not verified */
  private async keepAccounts(month: string, closings: ClosedAccount[]): Promise<string[]> {
    const accountIds = closings.map(({ account_id }) => account_id);
    const archive = new LedgerArchiveRepository(this.database);
    const before = monthAfter(new Date(month), -1).toISOString().slice(0, 7);
    const sums = await archive.readSums(accountIds, before);
    const charged = new Map<string, number>();
    const limit = Math.floor(ENTRIES_AT_ONCE / accountIds.length);
    const from = (accountId: string) => sums.get(accountId) ?? NO_ENTRIES;
    for (let behind = closings; behind.length > 0;) {
      const stretches = behind.map(({ account_id: accountId, last_entry_id: lastEntryId }) => ({
        ...{ accountId, lastEntryId, from: from(accountId) },
      }));
      const read = await this.database.transaction(async (transaction) => {
        const kept = await new LedgerArchiveRepository(transaction).keep(stretches, limit);
        for (const [id, jobs] of kept) charged.set(id, (charged.get(id) ?? 0) + jobs);
        return new LedgerCheckpointRepository(transaction).readStretches(stretches, limit);
      });
      for (const [id, stretch] of read) sums.set(id, addStretch(from(id), stretch));
      behind = behind.filter(({ account_id }) => read.get(account_id)?.entries === limit);
    }
    const closed = await archive.readSums(accountIds, month);
    const verified = await new LedgerCheckpointRepository(this.database).find(accountIds);
    const isSound = (id: string): boolean => {
      const { chain, entry_id } = from(id);
      const isVerified = (verified.get(id) ?? NO_ENTRIES).entry_id >= entry_id;
      return isVerified && isSame({ ...(closed.get(id) ?? NO_ENTRIES), chain }, from(id));
    };
    const sound = accountIds.filter(isSound);
    await archive.store(
      month,
      sound.map((accountId) => ({ accountId, chain: from(accountId).chain, chargedJobs: charged.get(accountId) ?? 0 })),
    );
    return accountIds.filter((id) => !isSound(id));
  }

  private refuse(month: string, reason: string): false {
    this.logger.error({ month, reason }, 'ledger_month_not_archived');
    return false;
  }
}
