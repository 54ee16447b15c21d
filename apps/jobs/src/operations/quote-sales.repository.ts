import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { QuoteSales } from '@kinora/contracts/jobs/jobs-admin.rpc';

/** More than a hundred models a day for a week. */
const ROWS_MAX = 1_000;

/** The condition is that of the index `job_sold_under_quote`, so only the jobs at former prices are read. */
const LIST = statement(
  'job_list_quote_sales',
  `SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, model, count(*) AS jobs,
          sum(price_micros)::bigint AS quoted_micros, sum(list_micros)::bigint AS list_micros,
          sum(list_micros - price_micros)::bigint AS shortfall_micros
     FROM job
    WHERE list_micros <> price_micros AND created_at >= $1 AND account_id = coalesce($2, account_id)
      AND status NOT IN ('failed', 'canceled')
    GROUP BY day, model ORDER BY day DESC, model LIMIT ${ROWS_MAX}`,
);

/** Jobs that were sold under a quote at another price than the price list had at their creation. */
@Injectable()
export class QuoteSalesRepository {
  constructor(private readonly database: Database) {}

  list(since: Date, accountId: string | null): Promise<QuoteSales[]> {
    return this.database.query<QuoteSales>(LIST, [since, accountId]);
  }
}
