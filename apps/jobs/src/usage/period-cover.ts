/** From `from`, inclusive, to `to`, exclusive. */
export interface Span {
  from: Date;
  to: Date;
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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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
