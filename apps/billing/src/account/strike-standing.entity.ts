import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * How many strikes moderation counted last for an account. Events overtake each other, so the latest count is kept and earlier
 * ones are ignored. The account is known to moderation alone, so there is no foreign key.
 */
@Entity('strike_standing')
export class StrikeStandingEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('integer')
  strikes!: number;

  /** Microseconds of Unix time at which moderation counted, by the clock of its database. */
  @Column('bigint')
  counted_at_us!: number;
}
