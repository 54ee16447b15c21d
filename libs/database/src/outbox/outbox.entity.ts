import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event that waits for the broker (transactional outbox). The relay deletes the row once the broker has acknowledged it. */
@Entity('outbox')
export class OutboxEntity {
  /** UUID, version 7. It is also the message id on the broker, which discards a repeated publish. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  subject!: string;

  @Column('json')
  payload!: unknown;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  /** The W3C trace context of the change that caused the event. */
  @Column('text', { nullable: true })
  traceparent!: string | null;
}
