import { Injectable } from '@nestjs/common';
import type { LiftStrikeRequest, StrikeDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { OutboxRelay } from '@kinora/database';
import { assertUuid, invalidField, isReason } from '../operator-input';
import { StrikeLedger } from '../strike/strike-ledger';
import { RehearsalAccountRepository, StrikeRepository } from '../strike/strike.repository';

/** Lifts a strike, with a reason. The strike stays on record and no longer counts. */
@Injectable()
export class LiftStrike {
  constructor(
    private readonly strikes: StrikeRepository,
    private readonly ledger: StrikeLedger,
    private readonly relay: OutboxRelay,
  ) {}

  async execute({ strike_id, reason, actor }: LiftStrikeRequest): Promise<StrikeDetails> {
    assertUuid('strike_id', strike_id);
    // The record of an appeal needs a reason.
    if (!isReason(reason)) throw invalidField('reason', 'a text of 1 to 500 characters');
    const strike = await this.find(strike_id);
    await this.ledger.lift(strike, actor ?? null, reason);
    this.relay.nudge();
    return this.find(strike_id);
  }

  private async find(strikeId: string): Promise<StrikeDetails> {
    const strike = await this.strikes.find(strikeId);
    if (!strike) throw new ApiError('not_found', 'There is no such strike.');
    return strike;
  }
}

/** Allows an account to rehearse blocks with moderation's own test material, without strikes. Only operators can call it. */
@Injectable()
export class AllowRehearsal {
  constructor(private readonly accounts: RehearsalAccountRepository) {}

  async execute({ account_id }: { account_id: string }): Promise<Record<string, never>> {
    assertUuid('account_id', account_id);
    await this.accounts.allow(account_id);
    return {};
  }
}
