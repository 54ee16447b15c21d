import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type Account, ACCOUNT_STATUSES, type AccountStatus } from '@kinora/contracts/billing/account';
import type { AccountSummary } from '@kinora/contracts/billing/account-list.rpc';
import type { AccountDetails, AccountLimits } from '@kinora/contracts/billing/billing-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type Micros, toUsd } from '@kinora/contracts/shared/money';
import { Database, type Queryable, statement, type Statement } from '@kinora/database';
import { AccountEntity } from './account.entity';

export function accountNotFound(): ApiError {
  return new ApiError('not_found', 'There is no such account.', { param: 'account_id' });
}

/** An account with its wallet and the API key of the request. */
interface AccountRow {
  id: string;
  name: string;
  status: AccountStatus;
  available_micros: Micros;
  rate_limit_rpm: number;
  max_concurrent_jobs: number;
  retention_days: number;
  webhook_signing_configured: boolean;
  /** All three are null if auto-recharge was never set up. */
  recharge_enabled: boolean | null;
  recharge_threshold_micros: Micros | null;
  recharge_amount_micros: Micros | null;
  api_key_id: string;
  api_key_name: string;
  api_key_prefix: string;
  created_at: Date;
}

export function toAccount(row: AccountRow): Account {
  return {
    object: 'account',
    id: row.id,
    name: row.name,
    status: row.status,
    currency: 'USD',
    balance_micros: row.available_micros,
    balance_usd: toUsd(row.available_micros),
    rate_limit_rpm: row.rate_limit_rpm,
    max_concurrent_jobs: row.max_concurrent_jobs,
    retention_days: row.retention_days,
    auto_recharge: {
      enabled: row.recharge_enabled ?? false,
      threshold_usd: row.recharge_threshold_micros && toUsd(row.recharge_threshold_micros),
      amount_usd: row.recharge_amount_micros && toUsd(row.recharge_amount_micros),
    },
    webhook_signing_configured: row.webhook_signing_configured,
    api_key: { id: row.api_key_id, name: row.api_key_name, prefix: row.api_key_prefix },
    created_at: row.created_at.toISOString(),
  };
}

type NewAccount = Pick<AccountEntity, 'id' | 'name' | 'rate_limit_rpm' | 'retention_days'>;

const FIND_DETAILS = statement(
  'account_find_details',
  `SELECT account.id AS account_id, account.name, account.status, account.status_reason,
          wallet.available_micros AS balance_micros, wallet.held_micros, wallet.spent_micros, wallet.in_flight_jobs, wallet.owed_micros,
          account.rate_limit_rpm, wallet.max_concurrent_jobs, account.retention_days, account.price_group, account.created_at,
          (SELECT row_to_json(recharge) FROM (
             SELECT enabled, threshold_micros, amount_micros, monthly_cap_micros, payment_method, customer, failures,
                    stopped_reason
             FROM auto_recharge WHERE account_id = account.id) AS recharge) AS auto_recharge
   FROM account JOIN wallet ON wallet.account_id = account.id
   WHERE account.id = $1`,
);

const FIND_WITH_KEY = statement(
  'account_find_with_key',
  `SELECT account.id, account.name, account.status, wallet.available_micros, account.rate_limit_rpm,
          wallet.max_concurrent_jobs, account.retention_days, account.created_at,
          api_key.id AS api_key_id, api_key.name AS api_key_name, api_key.prefix AS api_key_prefix,
          EXISTS (
            SELECT FROM webhook_secret
            WHERE account_id = account.id AND (valid_until IS NULL OR valid_until > now())
          ) AS webhook_signing_configured,
          auto_recharge.enabled AS recharge_enabled, auto_recharge.threshold_micros AS recharge_threshold_micros,
          auto_recharge.amount_micros AS recharge_amount_micros
   FROM account JOIN wallet ON wallet.account_id = account.id JOIN api_key ON api_key.account_id = account.id
        LEFT JOIN auto_recharge ON auto_recharge.account_id = account.id
   WHERE account.id = $1 AND api_key.id = $2`,
);

const LOCK = statement('account_lock', 'SELECT id FROM account WHERE id = $1 FOR UPDATE');

const SUSPEND_FOR_STRIKES = statement(
  'account_suspend_for_strikes',
  `UPDATE account SET status = 'suspended', status_reason = $2 WHERE id = $1 AND status IN ('active', 'paused')`,
);

/**
 * The account is locked before its wallet, as by a change of the balance. PostgreSQL runs a CTE that nothing reads after the main
 * statement, which would lock them the other way round.
 */
const SET_LIMITS = statement(
  'account_set_limits',
  `WITH account_limits AS (
     UPDATE account
     SET rate_limit_rpm = coalesce($2, rate_limit_rpm), retention_days = coalesce($3, retention_days)
     WHERE id = $1 RETURNING id
   )
   UPDATE wallet SET max_concurrent_jobs = coalesce($4, max_concurrent_jobs)
   FROM account_limits WHERE account_id = account_limits.id`,
);

/** Accounts with their status and limits. Accounts are never deleted: their ledger must stay readable. */
@Injectable()
export class AccountRepository {
  constructor(
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly database: Database,
  ) {}

  async insert(transaction: Queryable, account: NewAccount): Promise<void> {
    await transaction.repository(AccountEntity).insert({ ...account });
  }

  /** @throws ApiError not_found, also for a malformed id, because operators type ids by hand. */
  async assertExists(accountId: string): Promise<void> {
    if (!isUuid(accountId) || !(await this.exists(accountId))) throw accountNotFound();
  }

  exists(accountId: string): Promise<boolean> {
    return this.accounts.existsBy({ id: accountId });
  }

  /** Serializes changes of one account by a row lock. The account must exist. */
  async lock(transaction: Queryable, accountId: string): Promise<void> {
    await transaction.execute(LOCK, [accountId]);
  }

  /** @throws ApiError not_found */
  async getDetails(accountId: string): Promise<AccountDetails> {
    const row = isUuid(accountId)
      ? await this.database.findOne<Omit<AccountDetails, 'created_at'> & { created_at: Date }>(FIND_DETAILS, [
          accountId,
        ])
      : null;
    if (!row) throw accountNotFound();
    return { ...row, created_at: row.created_at.toISOString() };
  }

  findWithKey(accountId: string, apiKeyId: string): Promise<AccountRow | null> {
    return this.database.findOne<AccountRow>(FIND_WITH_KEY, [accountId, apiKeyId]);
  }

  async setStatus(on: Queryable, accountId: string, status: AccountStatus, reason: string | null): Promise<void> {
    await on.repository(AccountEntity).update({ id: accountId }, { status, status_reason: reason });
  }

  /** @returns false if the account is already suspended or closed. */
  async suspendForStrikes(on: Queryable, accountId: string, reason: string): Promise<boolean> {
    return (await on.execute(SUSPEND_FOR_STRIKES, [accountId, reason])) === 1;
  }

  async setPriceGroup(on: Queryable, accountId: string, price_group: string | null): Promise<void> {
    await on.repository(AccountEntity).update({ id: accountId }, { price_group });
  }

  async setLimits(on: Queryable, accountId: string, limits: AccountLimits): Promise<void> {
    const { rate_limit_rpm, retention_days, max_concurrent_jobs } = limits;
    await on.execute(SET_LIMITS, [
      accountId,
      rate_limit_rpm ?? null,
      retention_days ?? null,
      max_concurrent_jobs ?? null,
    ]);
  }
}

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

const LIST = statement('account_list', `${PAGE} ${NEWEST}`, { mayBeStale: true });

/**
 * One statement for each status. PostgreSQL then plans each by the number of accounts that have the status: with a parameter,
 * it would plan for an average one, and read all accounts to find the few suspended ones.
 */
const LIST_BY_STATUS = Object.fromEntries(
  ACCOUNT_STATUSES.map((status) => [
    status,
    statement(`account_list_${status}`, `${PAGE} AND account.status = '${status}' ${NEWEST}`, { mayBeStale: true }),
  ]),
) as Record<AccountStatus, Statement>;

const FIND_NAMES = statement('account_find_names', 'SELECT id, name FROM account WHERE id = ANY($1::uuid[])');

type SummaryRow = Omit<AccountSummary, 'created_at'> & { created_at: Date };

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
    const rows = await this.database.query<SummaryRow>(list, values);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }

  findNames(ids: string[]): Promise<{ id: string; name: string }[]> {
    return this.database.query(FIND_NAMES, [ids]);
  }
}
