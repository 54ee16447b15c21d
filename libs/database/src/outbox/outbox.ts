import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { EventContract } from '@kinora/contracts/shared/contract';
import { currentTraceparent } from '@kinora/tracing';
import type { Queryable } from '../database';
import { statement } from '../statement';

const APPEND = statement(
  'outbox_append',
  'INSERT INTO outbox (id, subject, payload, traceparent) VALUES ($1, $2, $3, $4)',
);

/**
 * Appends an event in the transaction of the change that causes it (transactional outbox). The relay publishes it after the
 * commit, even after a crash. The event carries a trace to its handlers: the current one, or else the given one.
 */
export async function appendToOutbox<Payload>(
  transaction: Queryable,
  contract: EventContract<Payload>,
  payload: NoInfer<Payload>,
  otherTraceparent: string | null = null,
): Promise<void> {
  const traceparent = currentTraceparent() ?? otherTraceparent;
  await transaction.execute(APPEND, [uuidv7(), contract.subject, JSON.stringify(payload), traceparent]);
}

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
