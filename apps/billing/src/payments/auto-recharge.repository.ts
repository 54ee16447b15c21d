import { Injectable } from '@nestjs/common';
import type { AutoRechargeDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { Database, type Queryable, columnsOf, statement } from '@kinora/database';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AutoRechargeEntity } from './auto-recharge.entity';

export type NewAutoRecharge = Omit<AutoRechargeDetails, 'failures' | 'stopped_reason'> & { account_id: string };

const SHOWN = columnsOf(
  AutoRechargeEntity,
  ...(['enabled', 'threshold_micros', 'amount_micros', 'monthly_cap_micros'] as const),
  ...(['payment_method', 'customer', 'failures', 'stopped_reason'] as const),
);

const LOCK = statement('auto_recharge_lock', 'SELECT account_id FROM auto_recharge WHERE account_id = $1 FOR UPDATE');

/**
 * Accounts that are due for a charge. All payments except failed ones count against the cap of the month (UTC), because
 * one with an unknown outcome may have succeeded.
 */
export const DUE = `
  FROM auto_recharge JOIN wallet USING (account_id) JOIN account ON account.id = account_id
  WHERE enabled AND account.status = 'active' AND available_micros < threshold_micros AND retry_at <= now()
    AND NOT EXISTS (SELECT FROM payment WHERE payment.account_id = auto_recharge.account_id AND ended_at IS NULL)
    AND (monthly_cap_micros IS NULL OR auto_recharge.amount_micros <= monthly_cap_micros - (
      SELECT coalesce(sum(payment.amount_micros), 0) FROM payment
      WHERE payment.account_id = auto_recharge.account_id AND payment.state <> 'failed'
        AND payment.created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'))`;

const LIST_DUE = statement('auto_recharge_list_due', `SELECT account_id ${DUE} LIMIT 100`);

/** The auto-recharge settings of accounts. */
@Injectable()
export class AutoRechargeRepository {
  constructor(
    @InjectRepository(AutoRechargeEntity) private readonly recharges: Repository<AutoRechargeEntity>,
    private readonly database: Database,
  ) {}

  find(accountId: string): Promise<AutoRechargeDetails | null> {
    return this.recharges.findOne({ select: SHOWN.selected, where: { account_id: accountId } });
  }

  /** Stores the settings and resets the failures. */
  async set(on: Queryable, recharge: NewAutoRecharge): Promise<void> {
    const anew = { failures: 0, retry_at: () => 'now()', stopped_reason: null };
    await on.repository(AutoRechargeEntity).upsert({ ...recharge, ...anew }, ['account_id']);
  }

  /** Serializes the begins and the ends of an account's payments by a row lock. */
  async lock(transaction: Queryable, accountId: string): Promise<void> {
    await transaction.execute(LOCK, [accountId]);
  }

  async listDue(): Promise<string[]> {
    return (await this.database.query<{ account_id: string }>(LIST_DUE)).map(({ account_id }) => account_id);
  }
}
