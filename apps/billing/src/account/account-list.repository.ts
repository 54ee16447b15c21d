import { Injectable } from '@nestjs/common';
import type { AccountStatus } from '@kinora/contracts/billing/account';
import type { AccountSummary } from '@kinora/contracts/billing/account-list.rpc';
import { Database, statement } from '@kinora/database';

/**
 * UUIDv7 ids are ordered by time, so the primary key gives the order of creation. A search matches a substring, never a
 * pattern. The keys are in a scalar subquery, because PostgreSQL would hash an EXISTS and read every key for one page.
 */
const LIST = statement(
  'account_list',
  `SELECT account.id AS account_id, account.name, account.status, wallet.available_micros AS balance_micros,
          wallet.in_flight_jobs, account.created_at
   FROM account JOIN wallet ON wallet.account_id = account.id
   WHERE ($1::text IS NULL OR account.status = $1)
     AND ($2::text IS NULL OR strpos(lower(account.name), lower($2)) > 0 OR starts_with(account.id::text, lower($2))
          OR (SELECT true FROM api_key WHERE api_key.account_id = account.id AND starts_with(api_key.prefix, $2) LIMIT 1))
     AND account.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
   ORDER BY account.id DESC LIMIT $4`,
);

/** Account summaries for the operators' list. */
@Injectable()
export class AccountListRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(filter: {
    status: AccountStatus | null;
    search: string | null;
    beforeId: string | null;
    limit: number;
  }): Promise<AccountSummary[]> {
    const values = [filter.status, filter.search, filter.beforeId, filter.limit];
    const rows = await this.database.query<Omit<AccountSummary, 'created_at'> & { created_at: Date }>(LIST, values);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }
}
