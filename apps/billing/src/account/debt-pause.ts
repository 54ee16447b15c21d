import { Injectable } from '@nestjs/common';
import { formatUsd } from '@kinora/contracts/shared/money';
import { type Queryable, statement } from '@kinora/database';
import { AuditTrail } from '../operator/audit-trail.repository';
import { AccountRepository } from './account.repository';

const OWED = statement(
  'wallet_find_owed',
  'SELECT owed_micros, status FROM wallet JOIN account ON account.id = account_id WHERE account_id = $1',
);

const ACTOR = 'billing';
const PAUSED = 'paused_for_debt';
const RESUMED = 'resumed_after_debt';
const DECISIONS = ['set_status', 'suspended_for_strikes', 'reinstated_after_lifted_strike'];

/** Pauses accounts that owe payments that went back, and reverses only its own pauses. Runs under the lock of the account. */
@Injectable()
export class DebtPause {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  async begin(transaction: Queryable, account_id: string): Promise<void> {
    const { owed_micros, status } = await this.find(transaction, account_id);
    if (owed_micros === 0 || status !== 'active') return;
    const reason = `${formatUsd(owed_micros)} of payments that went back are owed`;
    await this.accounts.setStatus(transaction, account_id, 'paused', reason);
    await this.auditTrail.record(transaction, PAUSED, { account_id, owed_micros, actor: ACTOR, reason });
  }

  /** @returns whether the account is active again. */
  async endIfPaid(transaction: Queryable, account_id: string): Promise<boolean> {
    const { owed_micros, status } = await this.find(transaction, account_id);
    if (owed_micros > 0 || status !== 'paused') return false;
    const last = await this.auditTrail.findLast(transaction, account_id, [...DECISIONS, PAUSED, RESUMED]);
    if (last?.action !== PAUSED) return false;
    const reason = 'nothing is owed any more';
    await this.accounts.setStatus(transaction, account_id, 'active', reason);
    await this.auditTrail.record(transaction, RESUMED, { account_id, actor: ACTOR, reason });
    return true;
  }

  private async find(transaction: Queryable, accountId: string): Promise<{ owed_micros: number; status: string }> {
    const found = await transaction.findOne<{ owed_micros: number; status: string }>(OWED, [accountId]);
    if (!found) throw new Error(`account ${accountId} has no wallet`);
    return found;
  }
}
