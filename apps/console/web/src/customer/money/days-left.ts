import { API, type Usage, useAccount } from '../../api/customer';
import { useGet } from '../../api/pages';
import { formatQuantity, queryString } from '../../formatting/format';
import { daysOf, lastDays } from '../usage/period';

export const DAYS = 30;
/** The present rate is the average of this many days, today included. */
const RATE_DAYS = 7;
const YEAR = 365;

/** What was spent on each of the last days. */
export function useDailySpend() {
  const period = lastDays(DAYS, new Date());
  const usage = useGet<Usage>(['usage', period, 'day'], API + '/usage' + queryString({ ...period, group_by: 'day' }), {
    refetchInterval: 30_000,
  });
  return { usage, period, bars: usage.data && daysOf(period, usage.data) };
}

/** Whole days that the balance lasts at the present rate; null where nothing was spent. */
export function daysLeft(balanceMicros: number, days: readonly { value: number }[]): number | null {
  const spent = days.slice(-RATE_DAYS).reduce((sum, { value }) => sum + value, 0);
  return spent <= 0 ? null : Math.floor((Math.max(0, balanceMicros) * RATE_DAYS) / spent);
}

export function describeDays(days: number): string {
  const text = days < 1 ? 'less than a day' : days > YEAR ? 'more than a year' : `about ${formatQuantity(days, 'day')}`;
  return `${text} at the rate of the last ${RATE_DAYS} days`;
}

export function useDaysLeft(): number | null {
  const balance = useAccount().data?.balance_micros;
  const { bars } = useDailySpend();
  return balance === undefined || !bars ? null : daysLeft(balance, bars);
}
