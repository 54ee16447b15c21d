import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Queryable } from './database';
import { statement } from './statement';

const ENTER = statement(
  'inbox_enter',
  'INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);

/**
 * Records, in the consumer's own transaction, that a message was handled.
 * @returns false for a message that was handled before: the caller must then do nothing.
 */
export async function enterInbox(transaction: Queryable, consumer: string, messageId: string): Promise<boolean> {
  return (await transaction.execute(ENTER, [consumer, messageId])) === 1;
}

export const INBOX_PRUNE_PAGE = 1_000;

const PRUNE = statement(
  'inbox_prune',
  `DELETE FROM inbox WHERE (consumer, message_id) IN (
     SELECT consumer, message_id FROM inbox WHERE received_at < statement_timestamp() - interval '7 days'
     ORDER BY received_at LIMIT ${INBOX_PRUNE_PAGE})`,
);

/** Deletes one page of messages that are too old for a redelivery: the stream keeps them for three days. @returns how many */
export function pruneInbox(on: Queryable): Promise<number> {
  return on.execute(PRUNE);
}

/**
 * A message that a consumer has handled. The row is written in the transaction of the handler, so a repeated delivery has no
 * effect.
 */
@Entity('inbox')
@Index('inbox_by_age', ['received_at'])
export class InboxEntity {
  /** The names of the context and the handler. */
  @PrimaryColumn('text')
  consumer!: string;

  @PrimaryColumn('text')
  message_id!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  received_at!: Date;
}
