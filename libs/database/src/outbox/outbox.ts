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
 * Writes an event in the transaction that makes it true; the relay sends it afterwards, whatever dies in between. Its trace
 * goes on where it is heard: the current one, or else the one given.
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
