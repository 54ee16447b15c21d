import { ApiError } from '@kinora/contracts/shared/errors';
import { NIL, validate as isUuid } from 'uuid';
import type { Reread } from '../../wallet/full-audit';

/** The parts of a full run, in their order. */
const PARTS = ['wallets', 'entries', 'holds', 'payments', 'budgets'] as const;

export interface VerifyPlace {
  part: (typeof PARTS)[number];
  /** The id behind which the next page begins. */
  after: string;
  /** In `entries`: how far the account after it has been read. */
  reread?: Reread;
}

export const BEGINNING: VerifyPlace = { part: 'wallets', after: NIL };

/** Where a full run goes on when a part is over; null after the last. */
export function nextPart({ part }: VerifyPlace): VerifyPlace | null {
  const next = PARTS[PARTS.indexOf(part) + 1];
  return next === undefined ? null : { part: next, after: NIL };
}

export function toCursor(place: VerifyPlace): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws ApiError for what no run has given out. */
export function fromCursor(cursor: string): VerifyPlace {
  try {
    const place = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as VerifyPlace;
    if (PARTS.includes(place.part) && isUuid(place.after)) return place;
  } catch {
    // Not even JSON.
  }
  throw new ApiError('invalid_body', 'cursor must be the next_cursor of a report.', { param: 'cursor' });
}
