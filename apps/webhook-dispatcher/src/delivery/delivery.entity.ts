import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { WebhookEventType } from '@kinora/contracts/jobs/webhook-event';
import type { DeliveryStatus } from '@kinora/contracts/webhooks/webhooks.rpc';

/**
 * A webhook: inserted before it is sent, attempted up to six times, and kept for the retention time. An event has one
 * first delivery, and any number of redeliveries that an operator requested.
 */
@Entity('delivery')
@Check('delivery_event_type_check', `event_type IN ('job.succeeded', 'job.failed', 'job.canceled')`)
@Check('delivery_status_check', `status IN ('pending', 'delivered', 'exhausted')`)
@Check('delivery_is_completed_if_and_only_if_it_ended', `(completed_at IS NULL) = (status = 'pending')`)
@Check('delivery_is_due_if_and_only_if_it_is_pending', `(next_attempt_at IS NOT NULL) = (status = 'pending')`)
@Index('delivery_due', ['next_attempt_at'], { where: `status = 'pending'` })
@Index('delivery_of_account', ['account_id', 'id'])
@Index('delivery_of_host', ['account_id', 'host', 'id'])
@Index('delivery_requested', ['account_id', 'id'], { where: 'requested_by IS NOT NULL' })
@Index('delivery_of_event', ['event_id'])
@Index('delivery_of_job', ['job_id'])
@Index('delivery_exhausted', ['completed_at'], { where: `status = 'exhausted'` })
@Index('delivery_exhausted_newest', ['id'], { where: `status = 'exhausted'` })
@Index('delivery_exhausted_of_account', ['account_id', 'id'], { where: `status = 'exhausted'` })
export class DeliveryEntity {
  /** A UUID version 7: ids sort by creation time, and pruning selects by id. */
  @PrimaryColumn('uuid')
  id!: string;

  /** The event id that the receiver gets; the same in every redelivery. */
  @Column('text')
  event_id!: string;

  @Column('text')
  event_type!: WebhookEventType;

  @Column('uuid')
  account_id!: string;

  @Column('uuid')
  job_id!: string;

  @Column('text')
  url!: string;

  /** The exact characters that are signed and sent at every attempt, unless the client deletes the content in between. */
  @Column('text')
  body!: string;

  /** exhausted: every attempt has failed. */
  @Column('text', { default: 'pending' })
  status!: DeliveryStatus;

  /** Attempts that have a result. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** When it may be claimed; during an attempt, the end of its lease. Null once it has ended. */
  @Column('timestamptz', { nullable: true, default: () => 'clock_timestamp()' })
  next_attempt_at!: Date | null;

  /** Fencing token: each claim raises it, and a result with an older one is discarded. */
  @Column('integer', { default: 0 })
  fence!: number;

  /** Of the last attempt, like the next two; null if no answer came. */
  @Column('integer', { nullable: true })
  last_response_status!: number | null;

  @Column('text', { nullable: true })
  last_error!: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  completed_at!: Date | null;

  /** Normalised host and port of the URL, by which concurrency is limited; empty if the URL is invalid. */
  @Column('text', { default: '' })
  host!: string;

  @Column('integer', { nullable: true })
  last_latency_ms!: number | null;

  /** The delivery that this one repeats, which may be dropped; null for the first delivery of an event. */
  @Column('uuid', { nullable: true })
  redelivery_of!: string | null;

  /** The W3C trace context of the job whose end the event reports. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  /** When the client deleted the content of the job: the body carries what is left, and the URL is empty after the end. */
  @Column('timestamptz', { nullable: true })
  content_deleted_at!: Date | null;

  /** The key that requested this redelivery or test event; null for every other delivery. */
  @Column('uuid', { nullable: true })
  requested_by!: string | null;
}

/** Makes an event unique across partitions: the statement that inserts its first delivery inserts this too. */
@Entity('delivery_event')
@Index('delivery_event_by_age', ['delivery_id'])
export class DeliveryEventEntity {
  @PrimaryColumn('text')
  event_id!: string;

  @Column('uuid')
  delivery_id!: string;
}

/** An attempt that has ended, inserted by the statement that changes its delivery. */
@Entity('attempt')
@Check('attempt_number_check', 'number > 0')
export class AttemptEntity {
  @PrimaryColumn('uuid')
  delivery_id!: string;

  /** Counts from 1. */
  @PrimaryColumn('integer')
  number!: number;

  /** Null if no answer came. */
  @Column('integer', { nullable: true })
  response_status!: number | null;

  /** The class of the failure, never text from the receiver; null if the receiver acknowledged. */
  @Column('text', { nullable: true })
  error!: string | null;

  @Column('integer')
  latency_ms!: number;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  ended_at!: Date;

  /** The beginning of the receiver's answer as harmless text (`toExcerpt`); null if no answer came. */
  @Column('text', { nullable: true })
  response_excerpt!: string | null;
}

/** The progress of the sweep of finished jobs: one row, whose update is also the lease of the replica that sweeps. */
@Entity('sweep')
@Check('sweep_name_check', `name = 'finished_jobs'`)
export class SweepEntity {
  @PrimaryColumn('text')
  name!: 'finished_jobs';

  /** When the last sweep began. */
  @Column('timestamptz', { default: () => `'-infinity'` })
  begun_at!: Date;

  /** The end of the last job that the sweep has read; null before the first sweep. */
  @Column('timestamptz', { nullable: true })
  reached_at!: Date | null;

  /** Deliveries of jobs that ended before this time are pruned, so the sweep does not make them again. */
  @Column('timestamptz', { nullable: true })
  forgotten_before!: Date | null;
}
