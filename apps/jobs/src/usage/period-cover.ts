/** From `from` on, and before `to`. */
export interface Span {
  from: Date;
  to: Date;
}

/** A period in parts that are counted differently; together they are the period, and no two of them overlap. */
export interface PeriodCover {
  /** Whole UTC days; empty where `from` is `to`. */
  days: Span;
  /** Whole hours before and after the days. */
  hours: Span[];
  /** Whole minutes before and after those. */
  minutes: Span[];
  /** What is left at both ends, less than two minutes in all. */
  rest: Span[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Takes the period apart so that as little as possible has to be counted job by job. */
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

/** The part of a span that is made of whole units; empty, and within the span, where there is none. */
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
