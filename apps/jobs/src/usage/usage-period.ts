import { ApiError } from '@kinora/contracts/shared/errors';
import { parseTimeText } from '@kinora/contracts/shared/time-text';

/** The period of a usage report: includes `from`, excludes `to`. */
export interface UsagePeriod {
  from: Date;
  to: Date;
  /** Whether the requested period was longer than one report covers. */
  truncated: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The start of a report without `from`, in days before its end (decisions: Usage reports). */
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** The report shows years of four digits. */
const FIRST_YEAR = new Date('0000-01-01');

/**
 * The requested period, until now at the latest; only its newest part if it is too long. An end in the future counts as now
 * before the cut, which would leave days in the future only. @throws ApiError invalid_query
 */
export function readUsagePeriod(params: { from?: string; to?: string }, now: Date): UsagePeriod {
  const from = readTime('from', params.from);
  const to = earlierOf(readTime('to', params.to) ?? now, now);
  const start = from ?? laterOf(daysBefore(to, DEFAULT_DAYS), FIRST_YEAR);
  if (start >= to)
    throw new ApiError('invalid_query', 'from must be before to, and not in the future.', { param: 'from' });
  const earliest = daysBefore(to, MAX_DAYS);
  return start < earliest ? { from: earliest, to, truncated: true } : { from: start, to, truncated: false };
}

function readTime(param: 'from' | 'to', text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = parseTimeText(text);
  if (time) return time;
  const message = `${param} must be a day such as 2026-11-20, or a time such as 2026-11-20T09:00:00Z.`;
  throw new ApiError('invalid_query', message, { param });
}

function earlierOf(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function laterOf(a: Date, b: Date): Date {
  return a > b ? a : b;
}

function daysBefore(time: Date, days: number): Date {
  return new Date(time.getTime() - days * DAY_MS);
}
