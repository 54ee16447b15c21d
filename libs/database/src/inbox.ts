import type { Queryable } from './database';
import { statement } from './statement';

const ENTER = statement(
  'inbox_enter',
  'INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);

/**
 * Notes, in the consumer's own transaction, that a message was handled.
 * @returns false for a message that was handled before: the caller then has nothing to do.
 */
export async function enterInbox(transaction: Queryable, consumer: string, messageId: string): Promise<boolean> {
  return (await transaction.execute(ENTER, [consumer, messageId])) === 1;
}
