import type { WebhookEventType } from '@kinora/contracts/jobs/webhook-event';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

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
