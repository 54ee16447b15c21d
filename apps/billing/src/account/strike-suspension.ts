import { Injectable } from '@nestjs/common';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';
import type { Queryable } from '@kinora/database';
import { AuditTrail } from '../operator/audit-trail.repository';
import { AccountRepository } from './account.repository';

/** In whose name it is written down. */
const ACTOR = 'moderation';
const SUSPENDED = 'suspended_for_strikes';
const REINSTATED = 'reinstated_after_lifted_strike';

/** What a suspension is decided by and written down with; what else a standing has is recorded too. */
export type CountedStrikes = Pick<StrikeStanding, 'account_id' | 'strikes' | 'window_days' | 'limit'>;

/** Suspends accounts for their strikes, and takes back that and nothing else. */
@Injectable()
export class StrikeSuspension {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  /** An account that an operator has closed or suspended stays as it is. */
  async suspend(transaction: Queryable, standing: CountedStrikes): Promise<void> {
    const { account_id, strikes, limit, window_days } = standing;
    if (strikes < limit) return;
    const reason = `${strikes} strikes in ${window_days} days`;
    if (!(await this.accounts.suspendForStrikes(transaction, account_id, reason))) return;
    await this.auditTrail.record(transaction, SUSPENDED, { ...standing, actor: ACTOR, reason });
  }

  /** Only where strikes alone had suspended it: what an operator has decided since is not undone. */
  async reinstate(transaction: Queryable, standing: CountedStrikes): Promise<void> {
    const { account_id, strikes, limit } = standing;
    if (strikes >= limit) return;
    await this.accounts.lock(transaction, account_id);
    const last = await this.auditTrail.findLast(transaction, account_id, ['set_status', SUSPENDED, REINSTATED]);
    if (last !== SUSPENDED) return;
    const reason = 'a strike was lifted';
    await this.accounts.setStatus(transaction, account_id, 'active', reason);
    await this.auditTrail.record(transaction, REINSTATED, { ...standing, actor: ACTOR, reason });
  }
}
