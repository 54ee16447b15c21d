import type { PaymentDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AutoRechargeEntity } from './auto-recharge.entity';

/** A charge of auto-recharge. An account has at most one that has not ended. */
@Entity('payment')
@Check('payment_amount_micros_check', 'amount_micros > 0')
@Check('payment_state_check', `state IN ('begun', 'unknown', 'succeeded', 'failed')`)
@Check('payment_has_ended', `(state IN ('succeeded', 'failed')) = (ended_at IS NOT NULL)`)
@Check('payment_says_why', `(state = 'failed') = (failure IS NOT NULL)`)
@Check('payment_was_opened', `reference IS NOT NULL OR state IN ('begun', 'failed')`)
@Index('payment_of_account', ['account_id', 'created_at'])
@Index('payment_one_at_a_time', ['account_id'], { unique: true, where: 'ended_at IS NULL' })
@Index('payment_open', ['next_check_at'], { where: 'ended_at IS NULL' })
export class PaymentEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account_id!: string;

  @ManyToOne(() => AutoRechargeEntity)
  @JoinColumn({ name: 'account_id' })
  auto_recharge?: AutoRechargeEntity;

  /** The payment provider's name, as in the settings. */
  @Column('text')
  provider!: string;

  @Column('bigint')
  amount_micros!: number;

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

  /** The reason of a failure. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** How often it was claimed. */
  @Column('integer', { default: 0 })
  checks!: number;

  /** The time of the next poll; while a process has claimed the payment, the end of its lease. */
  @Column('timestamptz', { default: () => 'now()' })
  next_check_at!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  ended_at!: Date | null;
}
