import { ApiError } from '@kinora/contracts/shared/errors';

/** The time of which usage is told: `from` belongs to it, `to` does not. */
export interface UsagePeriod {
  from: Date;
  to: Date;
  /** Whether the wish was longer than one answer covers. */
  truncated: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long before now a report begins without `from` (decisions: Usage reports). */
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/**
 * A day, or RFC 3339 with an offset. Hours and minutes are bounded here because Date takes a 24:00 too. A leap second is
 * no time to begin or end at: no clock that stamps a job has one.
 */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** The period that a client means; of one that is too long, the newest part. @throws ApiError invalid_query */
export function readUsagePeriod(params: { from?: string; to?: string }, now: Date): UsagePeriod {
  const from = readInstant('from', params.from) ?? daysBefore(now, DEFAULT_DAYS);
  const to = readInstant('to', params.to) ?? now;
  if (from >= to) throw new ApiError('invalid_query', 'from must lie before to.', { param: 'from' });
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
  // In a query, a plus that nobody escaped is a space.
  const spelled = text.toUpperCase().replace(' ', '+');
  const day = INSTANT.exec(spelled)?.[1];
  if (day === undefined || !isDay(day)) return null;
  const instant = new Date(spelled);
  // The offset can lead out of the years that have four digits, which no answer could name.
  return /^\d{4}-/.test(instant.toISOString()) ? instant : null;
}

/** Date takes February 30th for a day in March. */
function isDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

function daysBefore(instant: Date, days: number): Date {
  return new Date(instant.getTime() - days * DAY_MS);
}
