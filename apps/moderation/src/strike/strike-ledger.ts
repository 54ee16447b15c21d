import { Injectable } from '@nestjs/common';
import { Database, type Queryable, appendToOutbox } from '@kinora/database';
import type { EventContract } from '@kinora/contracts/shared/contract';
import type { StrikeDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { type StrikeStanding, moderationEvents } from '@kinora/contracts/moderation/moderation.events';
import { ModerationConfig } from '../moderation.config';
import { RehearsalAccountRepository, type Strike, StrikeRepository } from './strike.repository';

/** Records and lifts strikes, and publishes the account's current count with each. Other contexts decide what follows. */
@Injectable()
export class StrikeLedger {
  constructor(
    private readonly database: Database,
    private readonly strikes: StrikeRepository,
    private readonly rehearsals: RehearsalAccountRepository,
    private readonly config: ModerationConfig,
  ) {}

  /** A block of moderation's own test material alone adds no strike to a rehearsal account. */
  async record(transaction: Queryable, strike: Strike, isTestMaterial: boolean): Promise<void> {
    if (isTestMaterial && (await this.rehearsals.isAllowed(transaction, strike.account_id))) return;
    await this.strikes.lockAccount(transaction, strike.account_id);
    const strike_id = await this.strikes.record(transaction, strike);
    if (strike_id === null) return;
    await this.publishStrike(transaction, moderationEvents.strikeRecorded, { strike_id, ...strike });
  }

  async lift({ strike_id, account_id, job_id }: StrikeDetails, by: string | null, reason: string): Promise<void> {
    await this.database.transaction((transaction) =>
      this.liftIn(transaction, { strike_id, account_id, job_id }, by, reason),
    );
  }

  /** Lifts the strike of the job; a job whose block was no strike has none. */
  async liftOfJob(transaction: Queryable, jobId: string, by: string | null, reason: string): Promise<void> {
    const strike = await this.strikes.findOfJob(jobId);
    if (strike) await this.liftIn(transaction, strike, by, reason);
  }

  private async liftIn(
    transaction: Queryable,
    { strike_id, account_id, job_id }: Pick<StrikeDetails, 'strike_id' | 'account_id' | 'job_id'>,
    by: string | null,
    reason: string,
  ): Promise<void> {
    await this.strikes.lockAccount(transaction, account_id);
    if (!(await this.strikes.lift(transaction, strike_id, by, reason))) return;
    await this.publishStrike(transaction, moderationEvents.strikeLifted, { strike_id, account_id, job_id });
  }

  private async publishStrike(
    transaction: Queryable,
    event: EventContract<StrikeStanding>,
    { strike_id, account_id, job_id }: Pick<StrikeStanding, 'strike_id' | 'account_id' | 'job_id'>,
  ): Promise<void> {
    const { strikeWindowDays: window_days, strikeLimit: limit } = this.config;
    const counted = await this.strikes.count(transaction, account_id, window_days);
    await appendToOutbox(transaction, event, { strike_id, account_id, job_id, ...counted, window_days, limit });
  }
}
