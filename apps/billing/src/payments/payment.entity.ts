import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { PaymentDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { AccountEntity } from '../account/account.entity';

/** The settings of an account's auto-recharge. An account that never set it up has no row. */
@Entity('auto_recharge')
@Check('auto_recharge_threshold_micros_check', 'threshold_micros > 0')
@Check('auto_recharge_amount_micros_check', 'amount_micros > 0')
@Check('auto_recharge_check', 'monthly_cap_micros >= amount_micros')
@Check('auto_recharge_failures_check', 'failures >= 0')
@Check('auto_recharge_stops', 'NOT (enabled AND stopped_reason IS NOT NULL)')
@Index('auto_recharge_enabled', ['account_id'], { where: 'enabled' })
export class AutoRechargeEntity {
  @ForeignKey(() => AccountEntity)
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('boolean')
  enabled!: boolean;

  /** The account is charged when its balance is below this. */
  @Column('bigint')
  threshold_micros!: number;

  @Column('bigint')
  amount_micros!: number;

  /** The maximum charge per month (UTC); null for no limit. */
  @Column('bigint', { nullable: true })
  monthly_cap_micros!: number | null;

  /** The payment provider's id of the payment method. */
  @Column('text')
  payment_method!: string;

  /** The payment provider's id of the customer; null if the provider needs none. */
  @Column('text', { nullable: true })
  customer!: string | null;

  /** Consecutive failed charges. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** After a failed charge, the earliest time of the next one. */
  @Column('timestamptz', { default: () => 'now()' })
  retry_at!: Date;

  /** Why auto-recharge was disabled after too many failures; null if it is enabled or an operator disabled it. */
  @Column('text', { nullable: true })
  stopped_reason!: string | null;
}

/** Money that moves at a payment provider. */
export abstract class ProviderMoveEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** The payment provider's name, as in the settings. */
  @Column('text')
  provider!: string;

  @Column('bigint')
  amount_micros!: number;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  ended_at!: Date | null;
}

/** A move that is polled at the provider until it has ended. */
export abstract class PolledMoveEntity extends ProviderMoveEntity {
  /** The reason of a failure. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** How often it was claimed. */
  @Column('integer', { default: 0 })
  checks!: number;

  /** The time of the next poll; while a process has claimed it, the end of its lease. */
  @Column('timestamptz', { default: () => 'now()' })
  next_check_at!: Date;
}

/** A charge of auto-recharge. An account has at most one that has not ended. */
@Entity('payment')
@Check('payment_amount_micros_check', 'amount_micros > 0')
@Check('payment_state_check', `state IN ('begun', 'unknown', 'succeeded', 'failed')`)
@Check('payment_has_ended', `(state IN ('succeeded', 'failed')) = (ended_at IS NOT NULL)`)
@Check('payment_says_why', `(state = 'failed') = (failure IS NOT NULL)`)
@Check('payment_was_opened', `reference IS NOT NULL OR state IN ('begun', 'failed')`)
@Index('payment_of_account', ['account_id', 'created_at'])
@Index('payment_one_at_a_time', ['account_id'], { unique: true, where: 'ended_at IS NULL' })
@Index('payment_of_reference', ['reference'], { where: 'reference IS NOT NULL' })
@Index('payment_open', ['next_check_at'], { where: 'ended_at IS NULL' })
export class PaymentEntity extends PolledMoveEntity {
  @ForeignKey(() => AutoRechargeEntity)
  @Column('uuid')
  account_id!: string;

  /** Copied from auto-recharge when the payment began. */
  @Column('text')
  payment_method!: string;

  @Column('text', { nullable: true })
  customer!: string | null;

  /** begun: no charge was sent. unknown: the charge was sent, and its outcome is not known yet. */
  @Column('text', { default: 'begun' })
  state!: PaymentDetails['state'];

  /** The provider's id of the charge, stored before the charge is sent. */
  @Column('text', { nullable: true })
  reference!: string | null;
}

/** The database of the sandbox payment provider. It simulates an external provider, so it has no foreign key. */
@Entity('sandbox_payment')
@Unique('sandbox_payment_payment_id_key', ['payment_id'])
@Check('sandbox_payment_state_check', `state IN ('unpaid', 'paid', 'declined')`)
export class SandboxPaymentEntity {
  /** The provider's id of the charge. */
  @PrimaryColumn('text')
  reference!: string;

  /** Our payment id, used as the idempotency key when the charge was opened. */
  @Column('uuid')
  payment_id!: string;

  @Column('text')
  method!: string;

  @Column('bigint')
  amount_micros!: number;

  @Column('text', { default: 'unpaid' })
  state!: 'unpaid' | 'paid' | 'declined';

  /** How many charge requests arrived. */
  @Column('integer', { default: 0 })
  requests!: number;
}
