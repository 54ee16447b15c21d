import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { WebhookEventType } from '@kinora/contracts/jobs/webhook-event';

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

/** An ended job whose event has no position in the feed of its account yet. A trigger on `job` writes it. */
@Entity('event_pending')
export class EventPendingEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @PrimaryColumn('uuid')
  job_id!: string;
}

/** The event of an ended job at its position in the feed of its account. Its content is read from the job. */
@Entity('feed_event')
@Check('feed_event_type_check', `type IN ('job.succeeded', 'job.failed', 'job.canceled')`)
@Index('feed_event_of_job', ['job_id'], { unique: true })
@Index('feed_event_of_type', ['account_id', 'type', 'number'])
@Index('feed_event_by_age', ['numbered_at', 'number'])
export class FeedEventEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** Visible only together with all positions before it. */
  @PrimaryColumn('bigint')
  number!: number;

  /** Random. After a restore a position may get another event; a cursor of the event before names a token that is gone. */
  @Column('uuid')
  token!: string;

  @Column('uuid')
  job_id!: string;

  @Column('text')
  type!: WebhookEventType;

  /** Never earlier than that of the position before. */
  @Column('timestamptz')
  numbered_at!: Date;
}
