import { Injectable } from '@nestjs/common';
import {
  Database,
  type Months,
  type Statement,
  statement,
  inGivenMonths,
  inOpenMonths,
  monthsOfRows,
} from '@kinora/database';
import type { UsageDetails } from '@kinora/contracts/jobs/own-jobs.rpc';
import type { UsageCounters, UsageGrouping } from '@kinora/contracts/jobs/usage';
import { coverPeriod, type Span, type UsagePeriod } from './usage-period';

/** The counters; the view converts micros to dollars. */
export type UsageSums = Omit<UsageCounters, 'charged_usd'>;

export type UsageRow = ({ day: string } | { model: string }) & UsageSums;

/** How many ended jobs are rolled up at once; after a full page there may be more. */
export const ROLL_UP_PAGE = 1_000;

/** The counters of one job. Its charge follows the view: zero for a failed or canceled job, else its price. */
const COUNTERS_OF_JOB = `
  (status = 'succeeded')::int AS succeeded, (status = 'failed')::int AS failed, (status = 'canceled')::int AS canceled,
  (status IN ('queued', 'processing'))::int AS in_flight,
  CASE WHEN status IN ('failed', 'canceled') THEN 0 ELSE price_micros END AS charged_micros, coalesce(gpu_ms, 0) AS gpu_ms`;

const COUNTERS_OF_ROLL_UP = 'succeeded, failed, canceled, 0 AS in_flight, charged_micros, gpu_ms';

/**
 * Every job of the period once, in one statement and so in one snapshot: jobs in flight, whose number the account's limit
 * bounds; ended jobs from the roll-ups; ended jobs that are not rolled up yet; and the jobs in the two partial minutes at the
 * ends of the period. `OFFSET 0` keeps the planner from reading all jobs of an account, of which most accounts have few; with all
 * statuses at once it prefers the range of the ids to the index of the account's jobs.
 */
const COUNTED = `
  WITH single AS (
    SELECT created_at, model, status, price_micros, gpu_ms FROM job
     WHERE account_id = $1 AND status IN ('queued', 'processing') AND created_at >= $2 AND created_at < $3 AND ${inOpenMonths('id')}
    UNION ALL
    SELECT created_at, model, status, price_micros, gpu_ms
      FROM unnest($8::timestamptz[], $9::timestamptz[]) AS rest(begins, ends)
     CROSS JOIN unnest(ARRAY['succeeded', 'failed', 'canceled']) AS ended_status CROSS JOIN LATERAL (
       SELECT created_at, model, status, price_micros, gpu_ms FROM job
        WHERE account_id = $1 AND status = ended_status AND created_at >= begins AND created_at < ends
           AND ${inGivenMonths('id')}
       OFFSET 0) AS job
    UNION ALL
    SELECT created_at, model, status, price_micros, gpu_ms
      FROM job
     WHERE id = ANY(ARRAY(SELECT job_id FROM usage_pending WHERE account_id = $1)) AND ${inOpenMonths('id')}
       AND created_at >= $2 AND created_at < $3
       AND NOT EXISTS (SELECT FROM unnest($8::timestamptz[], $9::timestamptz[]) AS rest(begins, ends)
                        WHERE created_at >= begins AND created_at < ends)
  ), counted AS (
    SELECT day, model, ${COUNTERS_OF_ROLL_UP} FROM usage_day 
     WHERE account_id = $1 AND day >= ($4::timestamptz AT TIME ZONE 'UTC')::date AND day < ($5::timestamptz AT TIME ZONE 'UTC')::date
    UNION ALL
    SELECT (minute AT TIME ZONE 'UTC')::date, model, ${COUNTERS_OF_ROLL_UP}
      FROM unnest($6::timestamptz[], $7::timestamptz[]) AS around(begins, ends)
      JOIN usage_minute ON account_id = $1 AND minute >= begins AND minute < ends
    UNION ALL
    SELECT (hour AT TIME ZONE 'UTC')::date, model, ${COUNTERS_OF_ROLL_UP}
      FROM unnest($10::timestamptz[], $11::timestamptz[]) AS around(begins, ends)
      JOIN usage_hour ON account_id = $1 AND hour >= begins AND hour < ends
    UNION ALL
    SELECT (created_at AT TIME ZONE 'UTC')::date, model, ${COUNTERS_OF_JOB} FROM single
  )`;

const SUMS = `
  sum(succeeded + failed + canceled + in_flight)::bigint AS jobs,
  sum(succeeded)::bigint AS succeeded, sum(failed)::bigint AS failed, sum(canceled)::bigint AS canceled,
  sum(in_flight)::bigint AS in_flight, sum(charged_micros)::bigint AS charged_micros, sum(gpu_ms)::bigint AS gpu_ms`;

const SUM_BY: Record<UsageGrouping, Statement> = {
  day: statement(
    'usage_sum_by_day',
    `${COUNTED} SELECT to_char(day, 'YYYY-MM-DD') AS day, ${SUMS} FROM counted GROUP BY counted.day ORDER BY counted.day`,
    { mayBeStale: true },
  ),
  model: statement(
    'usage_sum_by_model',
    `${COUNTED} SELECT model, ${SUMS} FROM counted GROUP BY model ORDER BY charged_micros DESC, model`,
    { mayBeStale: true },
  ),
};

const LIST_SPEND = statement(
  'usage_list_spend',
  `${COUNTED} SELECT to_char(day, 'YYYY-MM-DD') AS day, model, sum(charged_micros)::bigint AS charged_micros
     FROM counted GROUP BY counted.day, model HAVING sum(charged_micros) > 0 ORDER BY counted.day, model`,
);

/** Few enough to be read at each view of a chart, and as many as a 95th percentile needs. */
const JOBS_MEASURED = 1_000;

/** With both bounds inside, the planner expects so few jobs that it reads all and sorts them. */
const MEASURE_LATENCY = statement(
  'usage_measure_latency',
  `SELECT count(*)::integer AS jobs, (percentile_disc(0.5) WITHIN GROUP (ORDER BY ms))::bigint AS p50_ms,
          (percentile_disc(0.95) WITHIN GROUP (ORDER BY ms))::bigint AS p95_ms
     FROM (SELECT created_at, extract(epoch FROM completed_at - created_at) * 1000 AS ms FROM job
            WHERE account_id = $1 AND status = 'succeeded' AND created_at < $3 AND ${inGivenMonths('id')}
            ORDER BY created_at DESC, id DESC LIMIT ${JOBS_MEASURED}) AS newest
    WHERE created_at >= $2`,
);

/** Later than the creation of every stored job, because `created_at` is in whole milliseconds. */
const NOW = statement(
  'usage_now',
  `SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' AS now`,
);

const COUNTER_COLUMNS = 'succeeded, failed, canceled, charged_micros, gpu_ms';
const SUMS_OF_JOBS = 'sum(succeeded), sum(failed), sum(canceled), sum(charged_micros), sum(gpu_ms)';

/**
 * One statement moves ended jobs from `usage_pending` into the roll-ups, so that concurrent reports count each of them once.
 * The ids are an array, which is looked up by index; a join would read all jobs. Rows are written in order, so two processes
 * with the same rows wait and do not deadlock. A trigger derives hours from minutes. It fires after all rows of days are
 * locked, so no other process writes to these hours then, in any order.
 */
const ROLL_UP = statement(
  'usage_roll_up',
  `WITH taken AS (
     DELETE FROM usage_pending WHERE (account_id, job_id) IN (
       SELECT account_id, job_id FROM usage_pending LIMIT ${ROLL_UP_PAGE} FOR UPDATE SKIP LOCKED)
     RETURNING job_id
   ), ended AS (
     SELECT account_id, created_at, model, ${COUNTERS_OF_JOB} FROM job
      WHERE id = ANY (ARRAY(SELECT job_id FROM taken)) AND ${inOpenMonths('id')}
   ), minutes AS (
     INSERT INTO usage_minute AS known (account_id, minute, model, ${COUNTER_COLUMNS})
     SELECT account_id, date_trunc('minute', created_at, 'UTC') AS minute, model, ${SUMS_OF_JOBS}
       FROM ended GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (account_id, minute, model) DO UPDATE SET ${added('known')}
   ), days AS (
     INSERT INTO usage_day AS known (account_id, day, model, ${COUNTER_COLUMNS})
     SELECT account_id, (created_at AT TIME ZONE 'UTC')::date AS day, model, ${SUMS_OF_JOBS}
       FROM ended GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (account_id, day, model) DO UPDATE SET ${added('known')}
   )
   SELECT count(*) AS rolled_up FROM taken`,
);

function added(known: string): string {
  return COUNTER_COLUMNS.split(', ')
    .map((column) => `${column} = ${known}.${column} + excluded.${column}`)
    .join(', ');
}

@Injectable()
export class UsageRepository {
  constructor(private readonly database: Database) {}

  /** The clock that dates the creation of jobs. */
  async now(): Promise<Date> {
    const row = await this.database.findOne<{ now: Date }>(NOW);
    return row?.now ?? new Date();
  }

  /** The account's jobs that were created in the period, counted by group; a group without jobs has no row. */
  sum(accountId: string, period: UsagePeriod, groupBy: UsageGrouping): Promise<UsageRow[]> {
    return this.database.query<UsageRow>(SUM_BY[groupBy], valuesOf(accountId, period), monthsOf(period));
  }

  /** What each model has cost on each day. */
  listSpend(accountId: string, period: UsagePeriod): Promise<UsageDetails['spend']> {
    return this.database.query<UsageDetails['spend'][number]>(
      LIST_SPEND,
      valuesOf(accountId, period),
      monthsOf(period),
    );
  }

  /** Null where no job has succeeded. */
  async measureLatency(accountId: string, period: UsagePeriod): Promise<UsageDetails['latency']> {
    const [row] = await this.database.query<NonNullable<UsageDetails['latency']>>(
      MEASURE_LATENCY,
      [accountId, period.from, period.to],
      monthsOf(period),
    );
    return row && row.jobs > 0 ? row : null;
  }

  /** Adds a page of ended jobs to the roll-ups. @returns how many. */
  async rollUp(): Promise<number> {
    return (await this.database.findOne<{ rolled_up: number }>(ROLL_UP))?.rolled_up ?? 0;
  }
}

function monthsOf({ from, to }: UsagePeriod): Months {
  return monthsOfRows(from, to);
}

function valuesOf(accountId: string, { from, to }: UsagePeriod): unknown[] {
  const { days, hours, minutes, rest } = coverPeriod({ from, to });
  const parts = [...toArrays(minutes), ...toArrays(rest), ...toArrays(hours)];
  return [accountId, from, to, days.from, days.to, ...parts];
}

function toArrays(spans: Span[]): [begins: Date[], ends: Date[]] {
  return [spans.map(({ from }) => from), spans.map(({ to }) => to)];
}
