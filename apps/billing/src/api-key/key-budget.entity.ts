import type { CapPeriod } from '@kinora/contracts/billing/billing-admin.rpc';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, OneToOne, PrimaryColumn } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity';

/**
 * The spending cap of a key's jobs per day or month (UTC), and what is spent of it. A key without a row is bound by its
 * account's balance only.
 */
@Entity('key_budget')
@Check('key_budget_cap_micros_check', 'cap_micros >= 0')
@Check('key_budget_period_check', `period IN ('day', 'month')`)
@Check('key_budget_is_kept', 'spent_micros BETWEEN 0 AND cap_micros')
@Index('key_budget_given_by', ['given_by'], { where: 'given_by IS NOT NULL' })
export class KeyBudgetEntity {
  @PrimaryColumn('uuid')
  api_key_id!: string;

  @OneToOne(() => ApiKeyEntity)
  @JoinColumn({ name: 'api_key_id' })
  api_key?: ApiKeyEntity;

  @Column('bigint')
  cap_micros!: number;

  @Column('text')
  period!: CapPeriod;

  /** First day of the period that `spent_micros` counts. The first reservation in a later period resets it. */
  @Column('date')
  period_start!: string;

  /** Reserved and captured amounts of the period; a refund subtracts its amount. Includes `ended_gifts_micros`. */
  @Column('bigint', { default: 0 })
  spent_micros!: number;

  /** What is spent without a hold of this key: by keys whose gift has ended. */
  @Column('bigint', { default: 0 })
  ended_gifts_micros!: number;

  /** The period of `ended_gifts_micros`, which counts nothing in a later one. Null if no gift has ended. */
  @Column('date', { nullable: true })
  ended_gifts_period!: string | null;

  /** The key that has given this budget from its own; its revocation gives the rest back. Null if an operator made it. */
  @Column('uuid', { nullable: true })
  given_by!: string | null;

  @ManyToOne(() => KeyBudgetEntity)
  @JoinColumn({ name: 'given_by' })
  giver?: KeyBudgetEntity;
}
