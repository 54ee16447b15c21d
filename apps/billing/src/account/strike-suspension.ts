import { Injectable } from '@nestjs/common';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';
import type { Queryable } from '@kinora/database';
import { AuditTrail } from '../operator/audit-trail.repository';
import { AccountRepository } from './account.repository';

/** The actor in the audit trail. */
const ACTOR = 'moderation';
const SUSPENDED = 'suspended_for_strikes';
const REINSTATED = 'reinstated_after_lifted_strike';
const BY_OPERATOR = 'set_status';

/** The fields that decide a suspension and are recorded with it. Other fields of a standing are recorded too. */
export type CountedStrikes = Pick<StrikeStanding, 'account_id' | 'strikes' | 'window_days' | 'limit'>;

/** Suspends accounts for their strikes, and reverses only its own suspensions. */
@Injectable()
export class StrikeSuspension {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  /** Leaves an account unchanged that is already closed or suspended. */
  async suspend(transaction: Queryable, standing: CountedStrikes): Promise<void> {
    const { account_id, strikes, limit, window_days } = standing;
    if (strikes < limit) return;
    const reason = `${strikes} strikes in ${window_days} days`;
    if (!(await this.accounts.suspendForStrikes(transaction, account_id, reason))) return;
    await this.auditTrail.record(transaction, SUSPENDED, { ...standing, actor: ACTOR, reason });
  }

  /**
   * Reinstates only if the last status change is a suspension for strikes: a later decision of an operator stays. So does an
   * earlier one: an account that was paused before is paused again.
   */
  async reinstate(transaction: Queryable, standing: CountedStrikes): Promise<void> {
    const { account_id, strikes, limit } = standing;
    if (strikes >= limit) return;
    await this.accounts.lock(transaction, account_id);
    const last = await this.auditTrail.findLast(transaction, account_id, [BY_OPERATOR, SUSPENDED, REINSTATED]);
    if (last?.action !== SUSPENDED) return;
    const reason = 'a strike was lifted';
    const decision = await this.auditTrail.findLast(transaction, account_id, [BY_OPERATOR]);
    const status = decision?.details['status'] === 'paused' ? 'paused' : 'active';
    await this.accounts.setStatus(transaction, account_id, status, reason);
    await this.auditTrail.record(transaction, REINSTATED, { ...standing, actor: ACTOR, reason });
  }
}
