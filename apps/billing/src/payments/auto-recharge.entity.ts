import { Check, Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** When an account is charged without being asked, and how much. An account that never set it up has no row. */
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

  /** A balance below it is charged. */
  @Column('bigint')
  threshold_micros!: number;

  @Column('bigint')
  amount_micros!: number;

  /** The most that is charged in a month of UTC; null for no limit. */
  @Column('bigint', { nullable: true })
  monthly_cap_micros!: number | null;

  /** The payment provider's id of what is charged. */
  @Column('text')
  payment_method!: string;

  /** The payment provider's id of the customer, where it needs one. */
  @Column('text', { nullable: true })
  customer!: string | null;

  /** Failed charges in a row. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** After a failed charge, the next one begins no earlier. */
  @Column('timestamptz', { default: () => 'now()' })
  retry_at!: Date;

  /** Why too many failures switched it off; null while it is on, and where the operator switched it off. */
  @Column('text', { nullable: true })
  stopped_reason!: string | null;
}
