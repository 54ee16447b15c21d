import { ApiError } from '@kinora/contracts/shared/errors';
import { NIL, validate as isUuid } from 'uuid';
import type { Reread } from '../../wallet/full-audit';

/** The parts of a full run, in order. */
const PARTS = ['wallets', 'entries', 'holds', 'payments', 'budgets'] as const;

export interface VerifyPlace {
  part: (typeof PARTS)[number];
  /** The id after which the next page begins. */
  after: string;
  /** In `entries`: how far the next account has been read. */
  reread?: Reread;
}

export const BEGINNING: VerifyPlace = { part: 'wallets', after: NIL };

/** Where a full run continues after a part; null after the last part. */
export function nextPart({ part }: VerifyPlace): VerifyPlace | null {
  const next = PARTS[PARTS.indexOf(part) + 1];
  return next === undefined ? null : { part: next, after: NIL };
}

export function toCursor(place: VerifyPlace): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws ApiError invalid_body for a cursor that no run has returned */
export function fromCursor(cursor: string): VerifyPlace {
  try {
    const place = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as VerifyPlace;
    if (PARTS.includes(place.part) && isUuid(place.after)) return place;
  } catch {
    // Invalid JSON falls through to the error below.
  }
  throw new ApiError('invalid_body', 'cursor must be the next_cursor of a report.', { param: 'cursor' });
}
