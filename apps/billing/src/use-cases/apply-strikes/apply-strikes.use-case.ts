import { Injectable } from '@nestjs/common';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';
import { Database, enterInbox } from '@kinora/database';
import { StrikeStandingRepository } from '../../account/strike-standing.repository';
import { StrikeSuspension } from '../../account/strike-suspension';
import { LeaseRecall } from '../../rate-limit/lease-recall';

/** The inbox of running installations has rows with this name: another one would apply their events again. */
const CONSUMER = 'heed_strikes';

/**
 * Suspends an account that has too many strikes, and reverses only that when enough of them were lifted. Events may
 * arrive in any order: the decision uses the latest count of all received events.
 */
@Injectable()
export class ApplyStrikes {
  constructor(
    private readonly database: Database,
    private readonly suspension: StrikeSuspension,
    private readonly standings: StrikeStandingRepository,
    private readonly leaseRecall: LeaseRecall,
  ) {}

  async suspend(standing: StrikeStanding, messageId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await enterInbox(transaction, CONSUMER, messageId))) return;
      const strikes = await this.standings.noteAndReadLast(transaction, standing);
      await this.suspension.suspend(transaction, { ...standing, strikes });
    });
    this.leaseRecall.signal(standing.account_id);
  }

  async reinstate(standing: StrikeStanding, messageId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await enterInbox(transaction, CONSUMER, messageId))) return;
      const strikes = await this.standings.noteAndReadLast(transaction, standing);
      await this.suspension.reinstate(transaction, { ...standing, strikes });
    });
    this.leaseRecall.signal(standing.account_id);
  }
}
