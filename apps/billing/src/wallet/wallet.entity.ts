import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/**
 * An account's money and its jobs in flight: one row, whose lock decides what may be reserved. It is derived from the ledger,
 * in the statement that writes the entry.
 */
@Entity('wallet')
@Check('wallet_available_micros_check', 'available_micros >= 0')
@Check('wallet_held_micros_check', 'held_micros >= 0')
@Check('wallet_spent_micros_check', 'spent_micros >= 0')
@Check('wallet_owed_micros_check', 'owed_micros >= 0')
@Check('wallet_in_flight_jobs_check', 'in_flight_jobs >= 0')
@Check('wallet_max_concurrent_jobs_check', 'max_concurrent_jobs > 0')
@Check('wallet_is_countable', 'available_micros + held_micros + spent_micros <= 9007199254740991')
export class WalletEntity {
  @ForeignKey(() => AccountEntity)
  @PrimaryColumn('uuid')
  account_id!: string;

  /** The amount that can be reserved, which is the balance in the API. */
  @Column('bigint', { default: 0 })
  available_micros!: number;

  /** Reserved for jobs in flight: the sum of the open holds. */
  @Column('bigint', { default: 0 })
  held_micros!: number;

  /** All captured amounts of the account. */
  @Column('bigint', { default: 0 })
  spent_micros!: number;

  /** Disputed payments that the balance did not cover. The next top-up pays it first. */
  @Column('bigint', { default: 0 })
  owed_micros!: number;

  /** The number of open holds. */
  @Column('bigint', { default: 0 })
  in_flight_jobs!: number;

  @Column('bigint')
  max_concurrent_jobs!: number;
}

/** Below which balance a customer is warned. */
@Entity('balance_alert')
@Check('balance_alert_threshold_micros_check', 'threshold_micros > 0')
export class BalanceAlertEntity {
  @ForeignKey(() => WalletEntity)
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('bigint')
  threshold_micros!: number;

  /** Since when the balance is below it; null while it is not. */
  @Column('timestamptz', { nullable: true })
  crossed_at!: Date | null;
}

/**
 * held: reserved for a job in flight. captured, refunded: ended that way. barred: refunded before it was reserved, so
 * that a reservation that arrives late is refused.
 */
export type HoldState = 'held' | 'captured' | 'refunded' | 'barred';

/** Money reserved for one job. The job's end captures or refunds it, once. */
@Entity('hold')
@Check('hold_amount_micros_check', 'amount_micros >= 0')
@Check('hold_state_check', `state IN ('held', 'captured', 'refunded', 'barred')`)
@Check('hold_has_ended', `(state = 'held') = (ended_at IS NULL)`)
@Check('hold_has_owner', `(state = 'barred') = (account_id IS NULL)`)
@Check('hold_is_counted_in_a_period', '(budget_key_id IS NULL) = (budget_period_start IS NULL)')
@Index('hold_open_by_job', ['job_id', 'account_id'], { where: `state = 'held'` })
@Index('hold_open_of_budget', ['budget_key_id'], { where: `state = 'held' AND budget_key_id IS NOT NULL` })
@Index('hold_of_budget', ['budget_key_id', 'budget_period_start'], { where: 'budget_key_id IS NOT NULL' })
export class HoldEntity {
  @PrimaryColumn('uuid')
  job_id!: string;

  /** Null only in a barred hold, because its refund names only the job. */
  @ForeignKey(() => WalletEntity)
  @Column('uuid', { nullable: true })
  account_id!: string | null;

  @Column('bigint')
  amount_micros!: number;

  @Column('text', { default: 'held' })
  state!: HoldState;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  ended_at!: Date | null;

  /** The capped key whose budget counts the hold, after its revocation the key that gave the budget; null without a cap. */
  @Column('uuid', { nullable: true })
  budget_key_id!: string | null;

  /** The budget period that counts the hold: a refund in a later period does not change that later period. */
  @Column('date', { nullable: true })
  budget_period_start!: string | null;

  /** The key that made the job, whose spend a capture counts; null for a job without a key and for older holds. */
  @Column('uuid', { nullable: true })
  api_key_id!: string | null;

  /** The ledger entry of the reserve, as this and the next three columns once its month is archived. */
  @Column('bigint', { nullable: true })
  reserve_entry_id!: number | null;

  @Column('timestamptz', { nullable: true })
  reserve_entry_at!: Date | null;

  /** Of the capture or the refund. */
  @Column('bigint', { nullable: true })
  end_entry_id!: number | null;

  @Column('timestamptz', { nullable: true })
  end_entry_at!: Date | null;
}
