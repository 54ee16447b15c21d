import { type Queryable, statement } from '@kinora/database';
import type { UsageViolation } from '@kinora/contracts/jobs/usage';

/**
 * The audit reads all jobs: the limits of other statements would stop it in a large table, and an index scan would not be
 * cheaper.
 */
const ALLOW_A_MINUTE = statement(
  'usage_allow_a_minute',
  `SELECT set_config('statement_timeout', '60s', true), set_config('enable_seqscan', 'on', true),
          set_config('enable_bitmapscan', 'on', true)`,
);
/** Above the statement timeout, so that PostgreSQL ends the statement first, with an error that names the cause. */
const A_MINUTE_AND_A_BIT = { timeoutMs: 65_000 };

const COUNTERS = 'succeeded, failed, canceled, charged_micros, gpu_ms';
const SUMS = COUNTERS.split(', ')
  .map((counter) => `sum(${counter})::bigint AS ${counter}`)
  .join(', ');

/** Compares the roll-ups of one unit of time with the sums over the jobs. Both are compared from the same midnight on. */
const compare = (table: string, unit: string, since = '$1'): string => `
  SELECT '${table}_equals_jobs' AS rule, account_id,
         format('%s of %s: rolled up %s, jobs %s', model, ${unit}, rolled_up.counters, jobs.counters) AS detail
    FROM (SELECT account_id, ${unit}, model, (${COUNTERS})::text AS counters FROM ${table} WHERE ${unit} >= ${since}) AS rolled_up
    FULL JOIN (SELECT account_id, ${unit}, model, (${COUNTERS})::text AS counters
                 FROM (SELECT account_id, ${unit}, model, ${SUMS} FROM ended GROUP BY 1, 2, 3) AS sums) AS jobs
         USING (account_id, ${unit}, model)
   WHERE rolled_up.counters IS DISTINCT FROM jobs.counters`;

/** One statement, and so one snapshot: every ended job is either in `usage_pending` or in the roll-ups. */
const FIND_VIOLATIONS = statement(
  'usage_find_violations',
  `WITH ended AS (
     SELECT account_id, model, date_trunc('minute', created_at, 'UTC') AS minute,
            date_trunc('hour', created_at, 'UTC') AS hour, (created_at AT TIME ZONE 'UTC')::date AS day,
            (status = 'succeeded')::int AS succeeded, (status = 'failed')::int AS failed,
            (status = 'canceled')::int AS canceled, coalesce(gpu_ms, 0) AS gpu_ms,
            CASE status WHEN 'succeeded' THEN price_micros ELSE 0 END AS charged_micros
       FROM job
      WHERE completed_at IS NOT NULL AND created_at >= $1::timestamptz
        AND NOT EXISTS (SELECT FROM usage_pending WHERE usage_pending.account_id = job.account_id AND job_id = job.id)
   )
   ${compare('usage_minute', 'minute')}
   UNION ALL
   ${compare('usage_hour', 'hour')}
   UNION ALL
   ${compare('usage_day', 'day', `($1::timestamptz AT TIME ZONE 'UTC')::date`)}
   UNION ALL
   SELECT 'pending_usage_is_of_ended_jobs', account_id, format('job %s', job_id)
     FROM usage_pending WHERE NOT EXISTS (SELECT FROM job WHERE id = job_id AND completed_at IS NOT NULL)
   LIMIT 1000`,
  A_MINUTE_AND_A_BIT,
);

/** Recounts every ended job since a midnight, before which months are dropped. Returns at most 1,000 violations. */
export async function auditUsage(transaction: Queryable, since: Date): Promise<UsageViolation[]> {
  await transaction.execute(ALLOW_A_MINUTE);
  return transaction.query<UsageViolation>(FIND_VIOLATIONS, [since]);
}
