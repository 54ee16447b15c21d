import { ApiError } from '@kinora/contracts/shared/errors';
import { parseTimeText } from '@kinora/contracts/shared/texts';

/** From `from`, inclusive, to `to`, exclusive. */
export interface Span {
  from: Date;
  to: Date;
}

export interface UsagePeriod extends Span {
  /** Whether the requested period was longer than one report covers. */
  truncated: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
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

/** A period in parts that are counted differently. Together they equal the period, without overlaps. */
export interface PeriodCover {
  /** Whole UTC days; empty if `from` equals `to`. */
  days: Span;
  /** Whole hours before and after the days. */
  hours: Span[];
  /** Whole minutes before and after those hours. */
  minutes: Span[];
  /** The parts of minutes at both ends, less than two minutes in total. */
  rest: Span[];
}

/** Splits the period so that as few jobs as possible are counted one by one. */
export function coverPeriod(period: Span): PeriodCover {
  const minutes = wholeUnits(period, MINUTE_MS);
  const hours = wholeUnits(minutes, HOUR_MS);
  const days = wholeUnits(hours, DAY_MS);
  return {
    days,
    hours: without(hours, days),
    minutes: without(minutes, hours),
    rest: without(period, minutes),
  };
}

/** The part of a span that consists of whole units; an empty span within it if there is none. */
function wholeUnits({ from, to }: Span, unitMs: number): Span {
  const first = Math.ceil(from.getTime() / unitMs) * unitMs;
  const end = Math.floor(to.getTime() / unitMs) * unitMs;
  return first < end ? { from: new Date(first), to: new Date(end) } : { from: to, to };
}

function without(whole: Span, part: Span): Span[] {
  return [
    { from: whole.from, to: part.from },
    { from: part.to, to: whole.to },
  ].filter(({ from, to }) => from < to);
}
