import { v7 as uuidv7 } from 'uuid';
import type { EventContract } from '@kinora/contracts/shared/contract';
import type { Queryable } from '../database';
import { statement } from '../statement';

const APPEND = statement('outbox_append', 'INSERT INTO outbox (id, subject, payload) VALUES ($1, $2, $3)');

/** Writes an event in the transaction that makes it true; the relay sends it afterwards, whatever dies in between. */
export async function appendToOutbox<Payload>(
  transaction: Queryable,
  contract: EventContract<Payload>,
  payload: NoInfer<Payload>,
): Promise<void> {
  await transaction.execute(APPEND, [uuidv7(), contract.subject, JSON.stringify(payload)]);
}
