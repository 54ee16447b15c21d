import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The two ends of an account's feed. Its row is locked while events get their positions, and while they are pruned. */
@Entity('event_feed')
export class EventFeedEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** The last event. */
  @Column('bigint', { default: 0 })
  last_number!: number;

  @Column('uuid', { nullable: true })
  last_token!: string | null;

  @Column('timestamptz', { default: () => `'-infinity'` })
  last_numbered_at!: Date;

  /** The last event that was pruned: a reader that has seen it has missed nothing. */
  @Column('bigint', { nullable: true })
  pruned_number!: number | null;

  @Column('uuid', { nullable: true })
  pruned_token!: string | null;

  @Column('uuid', { nullable: true })
  pruned_job_id!: string | null;
}
