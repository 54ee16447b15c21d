import { Injectable } from '@nestjs/common';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';
import { Database, enterInbox } from '@kinora/database';
import { AccountRepository } from '../../account/account.repository';
import { StrikeStandingRepository } from '../../account/strike-standing.repository';
import { AuditTrail } from '../../operator/audit-trail';

const CONSUMER = 'heed_strikes';
/** In whose name it is written down. */
const ACTOR = 'moderation';
const SUSPENDED = 'suspended_for_strikes';
const REINSTATED = 'reinstated_after_lifted_strike';

/**
 * Suspends an account that has too many strikes, and takes back just that when enough of them were lifted. Events may come in
 * any order: what counts is how the account stood last, of all that was told so far.
 */
@Injectable()
export class HeedStrikes {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly standings: StrikeStandingRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  /** An account that an operator has closed or suspended stays as it is. */
  async suspend(standing: StrikeStanding, messageId: string): Promise<void> {
    const { account_id, limit, window_days } = standing;
    await this.database.transaction(async (transaction) => {
      if (!(await enterInbox(transaction, CONSUMER, messageId))) return;
      const strikes = await this.standings.noteAndReadLast(transaction, standing);
      if (strikes < limit) return;
      const reason = `${strikes} strikes in ${window_days} days`;
      if (!(await this.accounts.suspendForStrikes(transaction, account_id, reason))) return;
      await this.auditTrail.record(transaction, SUSPENDED, { ...standing, actor: ACTOR, reason });
    });
  }

  /** Only where strikes alone had suspended it: what an operator has decided since is not undone. */
  async reinstate(standing: StrikeStanding, messageId: string): Promise<void> {
    const { account_id, limit } = standing;
    await this.database.transaction(async (transaction) => {
      if (!(await enterInbox(transaction, CONSUMER, messageId))) return;
      const strikes = await this.standings.noteAndReadLast(transaction, standing);
      if (strikes >= limit) return;
      await this.accounts.lock(transaction, account_id);
      const last = await this.auditTrail.findLast(transaction, account_id, ['set_status', SUSPENDED, REINSTATED]);
      if (last !== SUSPENDED) return;
      const reason = 'a strike was lifted';
      await this.accounts.setStatus(transaction, account_id, 'active', reason);
      await this.auditTrail.record(transaction, REINSTATED, { ...standing, actor: ACTOR, reason });
    });
  }
}
