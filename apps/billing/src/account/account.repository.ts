import { Injectable } from '@nestjs/common';
import type { AccountStatus } from '@kinora/contracts/billing/account';
import type { AccountDetails, AccountLimits } from '@kinora/contracts/billing/billing-admin.rpc';
import { Database, type Queryable, statement } from '@kinora/database';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { accountNotFound } from './account-not-found';
import { AccountEntity } from './account.entity';
import type { AccountRow } from './account.view';

export type NewAccount = Pick<AccountEntity, 'id' | 'name' | 'rate_limit_rpm' | 'retention_days'>;

const FIND_DETAILS = statement(
  'account_find_details',
  `SELECT account.id AS account_id, account.name, account.status, account.status_reason,
          wallet.available_micros AS balance_micros, wallet.held_micros, wallet.spent_micros, wallet.in_flight_jobs,
          account.rate_limit_rpm, wallet.max_concurrent_jobs, account.retention_days, account.created_at,
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

const SET_LIMITS = statement(
  'account_set_limits',
  `WITH account_limits AS (
     UPDATE account
     SET rate_limit_rpm = coalesce($2, rate_limit_rpm), retention_days = coalesce($3, retention_days)
     WHERE id = $1
   )
   UPDATE wallet SET max_concurrent_jobs = coalesce($4, max_concurrent_jobs) WHERE account_id = $1`,
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
    if (!isUuid(accountId) || !(await this.accounts.existsBy({ id: accountId }))) throw accountNotFound();
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
