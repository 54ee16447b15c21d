import { Injectable } from '@nestjs/common';
import { ACCOUNT_STATUSES, type AccountStatus } from '@kinora/contracts/billing/account';
import type { AccountSummary } from '@kinora/contracts/billing/account-list.rpc';
import { Database, type Statement, statement } from '@kinora/database';

/**
 * UUIDv7 ids are ordered by time, so an index on ids gives the order of creation. A search matches a substring, never a
 * pattern. The keys are in a scalar subquery, because PostgreSQL would hash an EXISTS and read every key for one page.
 */
const PAGE = `
  SELECT account.id AS account_id, account.name, account.status, wallet.available_micros AS balance_micros,
         wallet.in_flight_jobs, account.created_at
  FROM account JOIN wallet ON wallet.account_id = account.id
  WHERE ($1::text IS NULL OR strpos(lower(account.name), lower($1)) > 0 OR starts_with(account.id::text, lower($1))
         OR (SELECT true FROM api_key WHERE api_key.account_id = account.id AND starts_with(api_key.prefix, $1) LIMIT 1))
    AND account.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;
const NEWEST = 'ORDER BY account.id DESC LIMIT $3';

const LIST = statement('account_list', `${PAGE} ${NEWEST}`);

/**
 * One statement for each status. PostgreSQL then plans each by the number of accounts that have the status: with a parameter,
 * it would plan for an average one, and read all accounts to find the few suspended ones.
 */
const LIST_BY_STATUS = Object.fromEntries(
  ACCOUNT_STATUSES.map((status) => [
    status,
    statement(`account_list_${status}`, `${PAGE} AND account.status = '${status}' ${NEWEST}`),
  ]),
) as Record<AccountStatus, Statement>;

type AccountRow = Omit<AccountSummary, 'created_at'> & { created_at: Date };

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
    const values = [filter.search, filter.beforeId, filter.limit];
    const list = filter.status === null ? LIST : LIST_BY_STATUS[filter.status];
    const rows = await this.database.query<AccountRow>(list, values);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }
}
