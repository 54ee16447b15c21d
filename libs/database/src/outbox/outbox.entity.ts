import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event that waits for the broker (transactional outbox). The relay deletes the row once the broker has acknowledged it. */
@Entity('outbox')
export class OutboxEntity {
  /** UUID, version 7, and the message id on the broker: a repeated publish is dropped there. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  subject!: string;

  @Column('json')
  payload!: unknown;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  /** The W3C trace context in which the event came about. */
  @Column('text', { nullable: true })
  traceparent!: string | null;
}
