import { openMonth } from '@kinora/contracts/billing/ledger-month';
import { type MeasuredDatabase, numberedId } from '@kinora/testing';
import { LedgerArchiveRepository } from '../src/wallet/ledger-archive.repository';
import { NO_ENTRIES } from '../src/wallet/ledger-checkpoint.repository';
import { LedgerClosingRepository } from '../src/wallet/ledger-closing.repository';
import { LedgerHourRepository } from '../src/wallet/ledger-hour.repository';
import { LedgerRepository } from '../src/wallet/ledger.repository';
import { MonthStatementRepository } from '../src/wallet/month-statement.repository';

const MONTH = '2999-01';
const NOT_ARCHIVED = { archive_sha256: null, archived_at: null };
const IDS = Array.from({ length: 10 }, (_, place) => numberedId(place + 1));

/** Input for the statements that close the months of the ledger, and check the closings. */
export function worksOfClosings(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const closings = new LedgerClosingRepository(database);
  const month = { month: MONTH, end_id: 5, after_account_id: numberedId(0), closed_at: null, ...NOT_ARCHIVED };
  const closing = (id: string) => ({ ...openMonth(id, MONTH, null), entries: 1 });
  return [
    async () => expect(await closings.findLastMonth()).not.toBeNull(),
    async () => expect(await closings.listClosedMonths()).toHaveLength(12),
    async () => expect(await closings.findNewestId()).toBeGreaterThan(25_000_000),
    async () => expect(await closings.findEntry(25_000_000, 26_000_000)).not.toBeNull(),
    () => closings.begin(MONTH, 5),
    () => closings.claim(month),
    () => closings.advance(month, numberedId(7)),
    () => closings.awaitMoves(numberedId(7)),
    async () => expect((await closings.findBefore(IDS, MONTH)).size).toBe(10),
    async () => expect(await closings.listOfAccounts(IDS, MONTH)).toHaveLength(120),
    async () => expect(await closings.listOfMonth('2026-01', numberedId(500), 20)).toBeDefined(),
    () => closings.store(IDS.map(closing)),
    async () => {
      const ranges = IDS.map((accountId) => ({ accountId, afterId: 21_000_000, endId: 39_000_000 }));
      expect([...(await closings.readLines(ranges, 20)).values()][6]).toHaveLength(20);
    },
    () => closings.close(month),
    ...worksOfArchive(database),
  ];
}

/** Input for the statements that archive the months of the ledger. */
function worksOfArchive(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const archive = new LedgerArchiveRepository(database);
  const ledger = new LedgerRepository(database);
  return [
    async () => expect(await archive.listUnkept(MONTH, numberedId(0), 10)).toHaveLength(10),
    async () => expect((await archive.readSums(IDS, MONTH)).size).toBe(10),
    async () => {
      const from = { ...NO_ENTRIES, entry_id: 21_000_000 };
      const stretches = IDS.map((accountId) => ({ accountId, from, lastEntryId: 39_000_000 }));
      expect(await archive.keep(stretches, 2)).toEqual(new Map());
    },
    () =>
      archive.store(
        MONTH,
        IDS.map((accountId) => ({ accountId, chain: 'chain', chargedJobs: 0 })),
      ),
    async () => expect(await archive.record(MONTH, 'hash')).toBe('hash'),
    () => archive.archive(MONTH),
    async () => expect(await ledger.findArchived(IDS[0] ?? '')).toMatchObject({ through: MONTH }),
    async () =>
      expect(await new MonthStatementRepository(database).show(IDS[0] ?? '', MONTH)).toMatchObject({ month: MONTH }),
    async () => expect(await new LedgerHourRepository(database).isSummedUp(new Date(0))).toBe(true),
  ];
}
