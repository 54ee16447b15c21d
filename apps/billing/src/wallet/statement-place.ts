import type { StatementEntry } from '@kinora/contracts/billing/account-statement';
import { invalidCursor } from '../operator/page-place';
import type { StatementPlace } from './ledger.repository';

/** The id of an entry, and the balance before it. */
const CURSOR = /^(\d{1,18})\.(\d{1,15})$/;

export function encodeStatementPlace(
  last: Pick<StatementEntry, 'id' | 'balance_after_micros' | 'balance_delta_micros'>,
): string {
  return encode({ entryId: last.id, balanceBeforeMicros: last.balance_after_micros - last.balance_delta_micros });
}

/** A forged balance shows wrong balances to its author only. @throws ApiError invalid_query */
export function decodeStatementPlace(text: string): StatementPlace {
  const [, entryId, balance] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const place = entryId && balance ? { entryId, balanceBeforeMicros: Number(balance) } : null;
  // Compared as text too, because the decoder ignores invalid characters.
  if (place && encode(place) === text) return place;
  throw invalidCursor();
}

function encode({ entryId, balanceBeforeMicros }: StatementPlace): string {
  return Buffer.from(`${entryId}.${balanceBeforeMicros}`).toString('base64url');
}
