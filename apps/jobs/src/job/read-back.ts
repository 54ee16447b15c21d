import { ALL_MONTHS, type Database, type Months, daysAfter, monthsOfRows } from '@kinora/database';
import type { JobRow } from './job.entity';

/** Together with the days in which a job is stored, the open months. */
const READ_BACK_DAYS = 7;

/**
 * A page of jobs, newest first, of the latest months before a position; of all months only if those do not fill it. The page is
 * complete if no job of an earlier month can have been stored after its last one.
 */
export async function readBack<Row extends Pick<JobRow, 'created_at'>>(
  database: Database,
  before: { createdAt: Date } | null,
  limit: number,
  read: (months: Months) => Promise<Row[]>,
): Promise<Row[]> {
  const newest = before?.createdAt ?? new Date();
  const months = monthsOfRows(daysAfter(newest, -READ_BACK_DAYS), newest);
  const all = { from: ALL_MONTHS.from, until: database.openMonths.until };
  if (database.openMonths.from <= all.from) return read(all);
  const rows = await read(months);
  const last = rows[limit - 1];
  return last && monthsOfRows(last.created_at, newest).from >= months.from ? rows : read(all);
}
