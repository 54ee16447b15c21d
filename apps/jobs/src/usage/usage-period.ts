import { ApiError } from '@kinora/contracts/shared/errors';

/** The period of a usage report: includes `from`, excludes `to`. */
export interface UsagePeriod {
  from: Date;
  to: Date;
  /** Whether the requested period was longer than one report covers. */
  truncated: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The start of a report without `from`, in days before now (decisions: Usage reports). */
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/**
 * A day, or RFC 3339 with an offset. The pattern bounds hours and minutes, because Date also accepts 24:00. Leap seconds are
 * not accepted, because no clock that dates a job has them.
 */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** The requested period; only its newest part if it is too long. @throws ApiError invalid_query */
export function readUsagePeriod(params: { from?: string; to?: string }, now: Date): UsagePeriod {
  const from = readInstant('from', params.from) ?? daysBefore(now, DEFAULT_DAYS);
  const to = readInstant('to', params.to) ?? now;
  if (from >= to) throw new ApiError('invalid_query', 'from must be before to.', { param: 'from' });
  const earliest = daysBefore(to, MAX_DAYS);
  return from < earliest ? { from: earliest, to, truncated: true } : { from, to, truncated: false };
}

function readInstant(param: 'from' | 'to', text: string | undefined): Date | null {
  if (text === undefined) return null;
  const instant = parseInstant(text);
  if (instant) return instant;
  const message = `${param} must be a day such as 2026-11-20, or a time with its offset such as 2026-11-20T09:00:00Z.`;
  throw new ApiError('invalid_query', message, { param });
}

function parseInstant(text: string): Date | null {
  // A query decodes an unescaped plus as a space.
  const spelled = text.toUpperCase().replace(' ', '+');
  const day = INSTANT.exec(spelled)?.[1];
  if (day === undefined || !isDay(day)) return null;
  const instant = new Date(spelled);
  // The offset can lead to a year without four digits, which the report could not show.
  return /^\d{4}-/.test(instant.toISOString()) ? instant : null;
}

/** Date accepts February 30th as a day in March. */
function isDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

function daysBefore(instant: Date, days: number): Date {
  return new Date(instant.getTime() - days * DAY_MS);
}
