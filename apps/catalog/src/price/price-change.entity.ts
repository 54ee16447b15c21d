import type { Micros } from '@kinora/contracts/shared/money';
import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What an operator has set, from a time on. Rows are never changed, so that the price of every job stays explained. */
@Entity('price_change')
@Check(
  'price_change_sets_one',
  `CASE WHEN model_id = '' THEN price_group <> '' AND factor_basis_points IS NOT NULL AND micros IS NULL
        ELSE factor_basis_points IS NULL END`,
)
@Check('price_change_amounts', 'micros >= 0 AND factor_basis_points >= 0')
@Index('price_change_in_force', ['model_id', 'price_group', 'effective_from', 'id'])
@Index('price_change_of_model', ['model_id', 'id'])
export class PriceChangeEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  /** Empty for the factor of a price group. */
  @Column('text')
  model_id!: string;

  /** Empty for the price list. */
  @Column('text')
  price_group!: string;

  /** The unit of the model at that time: the price does not hold for another one. */
  @Column('text', { nullable: true })
  per!: 'image' | 'second' | null;

  /** Null for a factor, and where an earlier price was ended. */
  @Column('bigint', { nullable: true })
  micros!: Micros | null;

  @Column('jsonb', { default: {} })
  micros_by_size!: Record<string, Micros>;

  @Column('integer', { nullable: true })
  factor_basis_points!: number | null;

  @Column('timestamptz')
  effective_from!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('text', { nullable: true })
  actor!: string | null;

  @Column('text', { nullable: true })
  reason!: string | null;
}
