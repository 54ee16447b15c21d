import { Injectable } from '@nestjs/common';
import { Database, type Statement, statement } from '@kinora/database';
import type { UsageCounters, UsageGrouping } from '@kinora/contracts/jobs/usage';
import type { UsagePeriod } from './usage-period';

/** What is counted; dollars are a matter of the view. */
export type UsageSums = Omit<UsageCounters, 'charged_usd'>;

export type UsageRow = ({ day: string } | { model: string }) & UsageSums;

/** What a job charges is decided as in its view: a failed or canceled one nothing, any other its price. */
const SUMS = `
  count(*) AS jobs,
  count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
  count(*) FILTER (WHERE status = 'failed') AS failed,
  count(*) FILTER (WHERE status = 'canceled') AS canceled,
  count(*) FILTER (WHERE status IN ('queued', 'processing')) AS in_flight,
  coalesce(sum(price_micros) FILTER (WHERE status NOT IN ('failed', 'canceled')), 0)::bigint AS charged_micros,
  coalesce(sum(gpu_ms), 0)::bigint AS gpu_ms`;

const OF_PERIOD = 'FROM job WHERE account_id = $1 AND created_at >= $2 AND created_at < $3';

const SUM_BY: Record<UsageGrouping, Statement> = {
  day: statement(
    'usage_sum_by_day',
    `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, ${SUMS} ${OF_PERIOD} GROUP BY day ORDER BY day`,
  ),
  model: statement(
    'usage_sum_by_model',
    `SELECT model, ${SUMS} ${OF_PERIOD} GROUP BY model ORDER BY charged_micros DESC, model`,
  ),
};

@Injectable()
export class UsageRepository {
  constructor(private readonly database: Database) {}

  /** The account's jobs that were created in the period, counted by group; a group without jobs has no row. */
  sum(accountId: string, { from, to }: UsagePeriod, groupBy: UsageGrouping): Promise<UsageRow[]> {
    return this.database.query<UsageRow>(SUM_BY[groupBy], [accountId, from, to]);
  }
}
