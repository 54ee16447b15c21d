import { JOB_STATUSES, type JobStatus } from '@kinora/contracts/jobs/job';
import {
  ALL_MONTHS,
  type Database,
  type GivenMonths,
  type Months,
  daysAfter,
  monthAfter,
  monthsOfRows,
  statement,
} from '@kinora/database';
import type { Cursor } from './cursor';
import type { JobRow } from './job.entity';

/** A page of most lists is full of jobs of so many days. */
const READ_BACK_DAYS = 7;
/** A statement is planned for so many months at most, which takes milliseconds. */
export const MONTHS_AT_ONCE = 12;
const FIRST_MONTHS = 2;

const LIST_MONTHS = statement(
  'account_month_list',
  `SELECT DISTINCT month::text AS month FROM account_month
    WHERE account_id = $1 AND month >= $2::date AND month < $3::date AND model = coalesce($4, model) ORDER BY month`,
  { mayBeStale: true },
);

/** The months before the open ones in which an account may have ended jobs, of one model or of all; oldest first. */
export async function closedMonthsOf(
  database: Database,
  { accountId, model }: Pick<ListedJobs, 'accountId' | 'model'>,
  { from, until }: Months,
): Promise<Months[]> {
  const end = until < database.openMonths.from ? until : database.openMonths.from;
  if (end <= from) return [];
  const values = [accountId, from.toISOString(), end.toISOString(), model];
  const rows = await database.query<{ month: string }>(LIST_MONTHS, values);
  return rows.map(({ month }) => ({ from: new Date(month), until: monthAfter(new Date(month), 1) }));
}

/** Which jobs of an account a list asks for. */
export interface ListedJobs {
  accountId: string;
  status: JobStatus | null;
  model: string | null;
  order: 'asc' | 'desc';
  /** The last job of the page before. */
  after: Cursor | null;
  limit: number;
}

type Listed = Pick<JobRow, 'id' | 'created_at'>;
/** Reads the jobs of some months, with one of these statuses. */
type Read<Row> = (months: GivenMonths, statuses: readonly JobStatus[]) => Promise<Row[]>;

/**
 * A page of an account's jobs. It reads the months in order, at first those that fill most pages, until no job of the next one can
 * belong to the page. Jobs that are in flight, or that usage does not count yet, are of the open months.
 */
export async function readByMonth<Row extends Listed>(
  database: Database,
  listed: ListedJobs,
  read: Read<Row>,
): Promise<Row[]> {
  const statuses = listed.status === null ? JOB_STATUSES : [listed.status];
  const ended = statuses.filter((status) => !IN_FLIGHT.includes(status));
  const { openMonths } = database;
  if (ended.length === 0 || openMonths.from <= ALL_MONTHS.from) return read(openMonths, statuses);
  const first = listed.order === 'asc' ? null : latestMonths(listed.after, openMonths);
  let rows = first ? await read(first, statuses) : [];
  if (first && isComplete(rows, listed, { ...first, until: first.from })) return rows;
  const months = await monthsAfter(database, listed, first);
  let [monthsRead, found] = [0, 0];
  for (
    let count = FIRST_MONTHS;
    months.length > 0;
    count = countOfNext(listed.limit - rows.length, monthsRead, found)
  ) {
    const next = months.splice(0, lengthOfSpan(months, count));
    const isOpen = next.some(({ until }) => until > openMonths.from);
    const part = await read(next, isOpen ? statuses : ended);
    [monthsRead, found] = [monthsRead + next.length, found + part.length];
    rows = merge([...rows, ...part], listed);
    if (months[0] && isComplete(rows, listed, months[0])) return rows;
  }
  return rows;
}

/** How many of the next months follow one another. PostgreSQL plans several spans in one statement ten times as long as one. */
function lengthOfSpan(months: readonly Months[], most: number): number {
  const gap = months.findIndex((month, place) => place > 0 && !areNeighbours(month, months[place - 1]));
  return Math.min(most, gap === -1 ? months.length : gap);
}

function areNeighbours(one: Months, other: Months | undefined): boolean {
  return one.until.getTime() === other?.from.getTime() || one.from.getTime() === other?.until.getTime();
}

/** As many months as have what the page lacks, if they are like those that were read. */
function countOfNext(lacking: number, monthsRead: number, found: number): number {
  const months = Math.ceil((lacking * monthsRead) / Math.max(found, 1 / 2));
  return Math.min(Math.max(months, 1), MONTHS_AT_ONCE);
}

const IN_FLIGHT: readonly JobStatus[] = ['queued', 'processing'];

/** The open months, or those of a week before the cursor. */
function latestMonths(after: Cursor | null, open: Months): Months {
  const newest = new Date(Math.min(after?.createdAt.getTime() ?? Infinity, Date.now()));
  const latest = monthsOfRows(daysAfter(newest, -READ_BACK_DAYS), newest);
  return latest.from >= open.from ? open : latest;
}

/** The account's months that follow, in the order of the list: back from the first ones, or from the cursor to the open ones. */
async function monthsAfter(database: Database, listed: ListedJobs, first: Months | null): Promise<Months[]> {
  if (first) return (await closedMonthsOf(database, listed, { from: ALL_MONTHS.from, until: first.from })).toReversed();
  const from = listed.after ? monthsOfRows(listed.after.createdAt, listed.after.createdAt).from : ALL_MONTHS.from;
  const { openMonths } = database;
  return [...(await closedMonthsOf(database, listed, { from, until: openMonths.from })), openMonths];
}

/** Whether all jobs of a month are behind the last one of a full page. */
function isComplete(rows: readonly Listed[], { limit, order }: ListedJobs, month: Months): boolean {
  const last = rows[limit - 1];
  if (last === undefined) return false;
  const { from, until } = monthsOfRows(last.created_at, last.created_at);
  return order === 'desc' ? from >= month.until : until <= month.from;
}

/** Parts of different months; their times overlap by some days. */
function merge<Row extends Listed>(rows: Row[], { limit, order }: ListedJobs): Row[] {
  const sign = order === 'asc' ? 1 : -1;
  const compare = (a: Row, b: Row): number => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);
  return rows.toSorted((a, b) => sign * compare(a, b)).slice(0, limit);
}
