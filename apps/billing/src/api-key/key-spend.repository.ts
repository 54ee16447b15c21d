import { Injectable } from '@nestjs/common';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database, statement } from '@kinora/database';

/** The sum of a key over a period; of all keys of portal sessions together where there is no id. */
export interface KeySpendRow {
  api_key_id: string | null;
  name: string | null;
  prefix: string | null;
  revoked_at: Date | null;
  jobs: number;
  charged_micros: Micros;
}

/**
 * Reads a row for each key and day of the period, by the primary key, and then each key once. $4 is the caller if it manages
 * only itself and the keys that it has created; null if it manages all.
 */
const LIST = statement(
  'key_spend_list',
  `WITH spent AS (
     SELECT api_key_id, sum(jobs) AS jobs, sum(charged_micros) AS charged_micros FROM key_spend_day
      WHERE account_id = $1 AND day BETWEEN $2 AND $3 GROUP BY api_key_id
   ), named AS (
     SELECT api_key.*, spent.jobs, spent.charged_micros FROM spent JOIN api_key ON api_key.id = spent.api_key_id
      WHERE $4::uuid IS NULL OR (NOT is_portal AND (api_key.id = $4 OR created_by = $4))
   ), shown AS (
     SELECT id AS api_key_id, name, prefix, revoked_at, jobs, charged_micros FROM named WHERE NOT is_portal
     UNION ALL
     SELECT NULL, NULL, NULL, NULL, sum(jobs), sum(charged_micros) FROM named WHERE is_portal HAVING count(*) > 0
   )
   SELECT api_key_id, name, prefix, revoked_at, jobs::bigint AS jobs, charged_micros::bigint AS charged_micros
     FROM shown ORDER BY charged_micros DESC, api_key_id LIMIT $5`,
);

/** What keys have spent, by the sums that captures have made (`ReservationRepository`). */
@Injectable()
export class KeySpendRepository {
  constructor(private readonly database: Database) {}

  /** @param period inclusive days. @param managerId null for a caller that manages all keys. */
  list(
    accountId: string,
    period: { from: string; to: string },
    managerId: string | null,
    limit: number,
  ): Promise<KeySpendRow[]> {
    return this.database.query<KeySpendRow>(LIST, [accountId, period.from, period.to, managerId, limit]);
  }
}
