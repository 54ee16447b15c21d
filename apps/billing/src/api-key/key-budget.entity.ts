import type { CapPeriod } from '@kinora/contracts/billing/billing-admin.rpc';
import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity';

/** What the jobs of a capped key may cost in a day or a month of UTC. A key without a row is bound by its account's balance only. */
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

  /** First day of the period that `spent_micros` counts; a reservation in a later period starts it anew. */
  @Column('date')
  period_start!: string;

  /** Reserved and captured in the period; a refund gives it back. */
  @Column('bigint', { default: 0 })
  spent_micros!: number;
}
