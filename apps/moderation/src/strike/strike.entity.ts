import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A blocked output counts against the account of its job. A lifted strike no longer counts, and stays on record. */
@Entity('strike')
@Unique('strike_once_a_job', ['job_id'])
@Check('strike_lifted_for_a_reason', '(lifted_at IS NULL) = (lift_reason IS NULL)')
@Index('strike_by_account', ['account_id', 'created_at'])
export class StrikeEntity {
  /** UUID, version 7: ids are in the order of the strikes. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account_id!: string;

  @Column('uuid')
  job_id!: string;

  /** The decision that blocked the output; a strike outlives it. */
  @Column('uuid')
  decision_id!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  lifted_at!: Date | null;

  /** The operator who lifted the strike; null where the request names none. */
  @Column('text', { nullable: true })
  lifted_by!: string | null;

  @Column('text', { nullable: true })
  lift_reason!: string | null;
}

/** An account that may rehearse: a block of moderation's own test material adds no strike. */
@Entity('rehearsal_account')
export class RehearsalAccountEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;
}
