import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The last strike count that moderation published for an account. Events can arrive out of order, so the latest count is
 * kept and earlier ones are ignored. The account id comes from moderation, so there is no foreign key.
 */
@Entity('strike_standing')
export class StrikeStandingEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('integer')
  strikes!: number;

  /** Unix time of the count in microseconds, by the clock of moderation's database. */
  @Column('bigint')
  counted_at_us!: number;
}
