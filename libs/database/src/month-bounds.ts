import type { Statement } from './statement';
import { firstIdOf, monthAfter, timeOfId } from './month';

/** A span of ids by their time; whole months, so that a statement has the same text for all of them. */
export interface Months {
  from: Date;
  until: Date;
}

/** Several spans have months between them that are not read. */
export type GivenMonths = Months | readonly Months[];

export const ALL_MONTHS: Months = { from: new Date(0), until: new Date(2 ** 48) };

/** `open`: the months whose rows still change. `ids`: those of the ids that are passed. `given`: as `withinMonths` is told. */
type Bounds = 'open' | 'ids' | 'given';

const TOKEN = /'@(open|ids|given) ([\w.]+)'/g;

const bounded =
  (bounds: Bounds) =>
  (id: string): string =>
    `'@${bounds} ${id}'`;

/** Conditions that have a statement planned for a few partitions. The bounds become literals before the statement is prepared. */
export const inOpenMonths = bounded('open');
export const inMonthsOfIds = bounded('ids');
export const inGivenMonths = bounded('given');

function wholeMonths(from: Date, until: Date): Months {
  return { from: monthAfter(from, 0), until: monthAfter(until, 1) };
}

const DAY_MS = 24 * 60 * 60_000;
/** Clocks of processes differ, but never by as much. */
const CLOCKS_DAYS = 1;
/** A row may be stored so long after its id was made. */
export const STORED_WITHIN_DAYS = 3;

/** The months of rows that were stored between two times. */
export function monthsOfRows(from: Date, until: Date): Months {
  return wholeMonths(daysAfter(from, -STORED_WITHIN_DAYS), daysAfter(until, CLOCKS_DAYS));
}

/** Until the end of the month in which the next ids are made. */
export function openMonthsFrom(from: Date, now: Date): Months {
  return { from, until: wholeMonths(from, daysAfter(now, CLOCKS_DAYS)).until };
}

export function daysAfter(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY_MS);
}

/** The months of these ids; null without any. */
export function monthsOfIds(ids: unknown): Months | null {
  const times = [ids].flat().flatMap((id) => (typeof id === 'string' ? timeOfId(id).getTime() : []));
  if (times.length === 0) return null;
  return wholeMonths(new Date(Math.min(...times)), new Date(Math.max(...times)));
}

/** What each statement was last made for: most run for the open months again and again. */
const lastMade = new WeakMap<Statement, { key: string; made: Statement }>();

/** The statement for these months. It is prepared for the open months and for all until their end: there may be many others. */
export function withinMonths(
  requested: Statement,
  open: Months,
  values: unknown[] = [],
  given: GivenMonths = ALL_MONTHS,
): Statement {
  if (!requested.text.includes(`'@`)) return requested;
  const ofIds = requested.idsAt === undefined ? null : monthsOfIds(values[requested.idsAt]);
  const spans: Record<Bounds, Months[]> = {
    open: [open],
    ids: [widened(ofIds ?? open, open)],
    given: joined([given].flat().map((months) => widened(months, open))),
  };
  const key = Object.values(spans).map(toSuffix).join('');
  const last = lastMade.get(requested);
  if (last?.key === key) return last.made;
  const made = bind(requested, spans);
  lastMade.set(requested, { key, made });
  return made;
}

/** Months that follow one another as one span: each alternative of an OR is planned for every index of every partition. */
function joined(spans: readonly Months[]): Months[] {
  const joinedSpans: Months[] = [];
  for (const span of spans.toSorted((one, other) => one.from.getTime() - other.from.getTime())) {
    const last = joinedSpans.at(-1);
    if (!last || span.from > last.until) joinedSpans.push(span);
    else if (span.until > last.until) joinedSpans.splice(-1, 1, { from: last.from, until: span.until });
  }
  return joinedSpans;
}

function bind(requested: Statement, spans: Record<Bounds, Months[]>): Statement {
  const used = new Set<Months[]>();
  const text = requested.text.replaceAll(TOKEN, (_, bounds: Bounds, id: string) => {
    used.add(spans[bounds]);
    const conditions = spans[bounds].map(
      ({ from, until }) => `${id} >= '${firstIdOf(from)}' AND ${id} < '${firstIdOf(until)}'`,
    );
    return conditions.length > 1 ? `(${conditions.join(' OR ')})` : (conditions[0] ?? 'false');
  });
  const [open] = spans.open;
  const isPrepared = [...used].flat().every(({ from }) => from === open?.from || from === ALL_MONTHS.from);
  const name = isPrepared && requested.name !== '' ? requested.name + [...used].map(toSuffix).join('') : '';
  return { ...requested, text, name, label: requested.name };
}

/** The ids of the open months, and those of each other month: one old id has a statement about new ones read no other month. */
export function groupByMonths(ids: string[], open: Months): string[][] {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const key = toSuffix([widened(monthsOfIds(id) ?? open, open)]);
    groups.set(key, [...(groups.get(key) ?? []), id]);
  }
  return [...groups.values()];
}

/** One prepared statement serves all the open months. */
function widened(months: Months, open: Months): Months {
  return months.from >= open.from && months.until <= open.until ? open : months;
}

function toSuffix(spans: Months[]): string {
  return spans.map(({ from, until }) => ` ${monthNumber(from)}-${monthNumber(until)}`).join('');
}

function monthNumber(time: Date): number {
  return time.getUTCFullYear() * 12 + time.getUTCMonth();
}
