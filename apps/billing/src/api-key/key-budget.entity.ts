import type { CapPeriod } from '@kinora/contracts/billing/billing-admin.rpc';
import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity';

/**
 * The spending cap of a key's jobs per day or month (UTC), and what is spent of it. A key without a row is bound by its
 * account's balance only.
 */
@Entity('key_budget')
@Check('key_budget_cap_micros_check', 'cap_micros > 0')
@Check('key_budget_period_check', `period IN ('day', 'month')`)
@Check('key_budget_is_kept', 'spent_micros BETWEEN 0 AND cap_micros')
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

  /** Reserved and captured amounts of the period; a refund subtracts its amount. */
  @Column('bigint', { default: 0 })
  spent_micros!: number;
}
