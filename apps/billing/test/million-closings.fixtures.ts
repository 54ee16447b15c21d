import { openMonth } from '@kinora/contracts/billing/ledger-month';
import { type MeasuredDatabase, numberedId } from '@kinora/testing';
import { LedgerClosingRepository } from '../src/wallet/ledger-closing.repository';

const MONTH = '2999-01';
const IDS = Array.from({ length: 10 }, (_, place) => numberedId(place + 1));

/** Input for the statements that close the months of the ledger, and check the closings. */
export function worksOfClosings(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const closings = new LedgerClosingRepository(database);
  const month = { month: MONTH, end_id: 5, after_account_id: numberedId(0), closed_at: null };
  const closing = (id: string) => ({ ...openMonth(id, MONTH, null), entries: 1 });
  return [
    async () => expect(await closings.findLastMonth()).not.toBeNull(),
    async () => expect(await closings.listClosedMonths()).toHaveLength(12),
    async () => expect(await closings.findNewestEntry()).not.toBeNull(),
    async () => expect(await closings.findEntryFrom(25_000_000)).not.toBeNull(),
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
  ];
}
