import type { CapPeriod } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Micros } from '@kinora/contracts/shared/money';

export interface Budget {
  cap_micros: Micros;
  period: CapPeriod;
  spent_micros: Micros;
}

/** A budget a day can be spent on every day of the longest month. */
const DAYS_IN_MONTH_MAX = 31;

/** The part of a giver's budget that a gift of it takes; infinite where the gift renews itself more slowly than the giver. */
export function shareOf(gift: Pick<Budget, 'cap_micros' | 'period'>, giverPeriod: CapPeriod): Micros {
  if (gift.period === giverPeriod) return gift.cap_micros;
  return gift.period === 'day' ? gift.cap_micros * DAYS_IN_MONTH_MAX : Infinity;
}

/** Whether the budget covers the gift with what it has not spent in the current period. */
export function coversGift(giver: Budget, gift: Pick<Budget, 'cap_micros' | 'period'>): boolean {
  return shareOf(gift, giver.period) <= giver.cap_micros - giver.spent_micros;
}

/**
 * Ends a gift. What it has spent counts as spent by the giver, and a gift of a shorter period counts as spent entirely until
 * the giver's next period, because its earlier days are not known. The gift keeps only what its ended jobs have spent, so a
 * job that was admitted before the revocation can reserve nothing more.
 *
 * @param movedMicros of the gift's spending, the open holds that become the giver's
 * @returns endedMicros, what the giver counts beyond its holds
 */
export function giveBack<Row extends Budget>(
  gift: Row,
  giver: Row,
  movedMicros: Micros,
): { own: Row; giver: Row; endedMicros: Micros } {
  const share = shareOf(gift, giver.period);
  const spent = gift.period === giver.period ? gift.spent_micros : share;
  const kept = gift.spent_micros - movedMicros;
  return {
    own: { ...gift, cap_micros: kept, spent_micros: kept },
    giver: { ...giver, cap_micros: giver.cap_micros + share, spent_micros: giver.spent_micros + spent },
    endedMicros: spent - movedMicros,
  };
}
