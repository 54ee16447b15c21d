import type { Usage } from '../../api/customer';

export interface Period {
  /** Inclusive. */
  from: string;
  /** Exclusive. */
  to: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const startOfDay = (date: Date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());

/** The last days in UTC, today included. */
export function lastDays(count: number, now: Date): Period {
  const tomorrow = startOfDay(now) + DAY_MS;
  return { from: new Date(tomorrow - count * DAY_MS).toISOString(), to: new Date(tomorrow).toISOString() };
}

/** From one day to another, both included; null unless both are days in this order. */
export function ownPeriod(from: string, to: string): Period | null {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  if (Number.isNaN(start) || Number.isNaN(end) || start > end) return null;
  return { from: new Date(start).toISOString(), to: new Date(end + DAY_MS).toISOString() };
}

/** The days `2026-03-01` of a period, oldest first. */
export function listDays({ from, to }: Period): string[] {
  const days = [];
  for (let day = startOfDay(new Date(from)); day < new Date(to).getTime(); day += DAY_MS) {
    days.push(new Date(day).toISOString().slice(0, 10));
  }
  return days;
}

/** One bar for each day of the period, also for days without jobs, which the answer leaves out. */
export function daysOf(period: Period, usage: Pick<Usage, 'data'>) {
  const values = new Map(usage.data.map((group) => ['day' in group ? group.day : '', group.charged_micros]));
  return listDays(period).map((day) => ({ label: shortDay(day), value: values.get(day) ?? 0 }));
}

/** `1 Mar` */
export function shortDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}
