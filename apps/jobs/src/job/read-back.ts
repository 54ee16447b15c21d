import type { JobStatus } from '@kinora/contracts/jobs/job';
import {
  ALL_MONTHS,
  type Database,
  type Months,
  daysAfter,
  monthAfter,
  monthsOfRows,
  statement,
} from '@kinora/database';
import type { JobRow } from './job.entity';

/** Together with the days in which a job is stored, the open months. */
const READ_BACK_DAYS = 7;
/** A statement for more months takes longer to plan than the prepared one for all of them takes to run. */
const MONTHS_PLANNED = 12;
/** A list may leave out jobs that usage counts, as that of videos does. */
const WIDENED_BY = 8;

/** Which jobs of an account a list asks for. */
export interface ListedJobs {
  accountId: string;
  status: JobStatus | null;
  model: string | null;
}

/** The day before which the account had created as many ended jobs as are wanted, or its first day. */
const FIND_DAY = statement(
  'usage_find_day_of_jobs',
  `SELECT min(day)::text AS day FROM (
     SELECT day, sum(jobs) OVER (ORDER BY day DESC, model DESC) - jobs AS newer
       FROM usage_day CROSS JOIN LATERAL (
              SELECT CASE $3 WHEN 'succeeded' THEN succeeded WHEN 'failed' THEN failed WHEN 'canceled' THEN canceled
                             ELSE succeeded + failed + canceled END AS jobs) AS counted
      WHERE account_id = $1 AND day < ($2::timestamptz AT TIME ZONE 'UTC')::date AND model = coalesce($4, model) AND jobs > 0
      ORDER BY day DESC, model DESC LIMIT $5) AS days
    WHERE newer < $5`,
  { mayBeStale: true },
);

/**
 * The months of an account's newest jobs before a time, at least as many as are wanted or all there are. Jobs that usage does not
 * count yet are of the open months.
 */
export async function monthsBack(
  database: Database,
  { accountId, status, model }: ListedJobs,
  before: Date,
  wanted: number,
): Promise<Months> {
  const { from: openFrom, until } = database.openMonths;
  if (isUnbounded(database) || status === 'queued' || status === 'processing') return { from: openFrom, until };
  const found = await database.findOne<{ day: string | null }>(FIND_DAY, [accountId, before, status, model, wanted]);
  const from = found?.day ? monthsOfRows(new Date(found.day), before).from : openFrom;
  if (from < monthAfter(before, -MONTHS_PLANNED)) return { from: ALL_MONTHS.from, until };
  return { from: from < openFrom ? from : openFrom, until: monthsOfRows(before, before).until };
}

/** Until the service has read the partitions, and while the first one is open. */
function isUnbounded({ openMonths }: Database): boolean {
  return openMonths.from <= ALL_MONTHS.from;
}

/**
 * A page of an account's jobs, newest first, of the latest months before a position; of earlier ones only if those do not fill it.
 * The page is complete if no job of an earlier month can have been stored after its last one.
 */
export async function readBack<Row extends Pick<JobRow, 'created_at'>>(
  database: Database,
  listed: ListedJobs,
  before: { createdAt: Date } | null,
  limit: number,
  read: (months: Months) => Promise<Row[]>,
): Promise<Row[]> {
  const newest = before?.createdAt ?? new Date();
  let months = isUnbounded(database) ? database.openMonths : monthsOfRows(daysAfter(newest, -READ_BACK_DAYS), newest);
  for (let wanted = limit; ; wanted *= WIDENED_BY) {
    const rows = await read(months);
    const last = rows[limit - 1];
    if (last && monthsOfRows(last.created_at, newest).from >= months.from) return rows;
    const wider = await monthsBack(database, listed, newest, wanted);
    if (wider.from >= months.from) return rows;
    months = wider;
  }
}
