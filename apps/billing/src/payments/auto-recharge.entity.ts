import { Check, Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
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
  @PrimaryColumn('uuid')
  account_id!: string;

  @OneToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id' })
  account?: AccountEntity;

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
