import { Injectable } from '@nestjs/common';
import { NIL, validate as isUuid } from 'uuid';
import type { LedgerClosing } from '@kinora/contracts/billing/ledger-month';
import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { assertUuid } from '../operator/operator-input';
import { auditClosings, rereadClosings } from '../wallet/closing-audit';
import { auditRows, type Reread, rereadEntries } from '../wallet/full-audit';
import { readArchivedSums, readClosedSums } from '../wallet/ledger-archive.repository';
import {
  auditLedger,
  auditWallets,
  type Findings,
  joinFindings,
  noFindings,
  type Transactions,
} from '../wallet/wallet-audit';

/** The parts of a full run, in order. */
const PARTS = [
  ...(['wallets', 'entries', 'closing_sums', 'closings'] as const),
  ...(['holds', 'payments', 'checkouts', 'refunds', 'disputes', 'budgets'] as const),
] as const;
const PARTS_OF_OPEN_MONTHS = ['wallets', 'closing_sums', 'open_months'] as const;
type Part = (typeof PARTS)[number] | (typeof PARTS_OF_OPEN_MONTHS)[number];

interface VerifyPlace {
  part: Part;
  /** The id after which the next page begins. */
  after: string;
  /** In `entries` and `open_months`: how far the next account has been read. */
  reread?: Reread;
  /** In `closings`: the sums of the next account, up to the entry that was read last. */
  closing?: LedgerClosing;
}

const BEGINNING: VerifyPlace = { part: 'wallets', after: NIL };

function partsOf({ full = false, open_months = false }: VerifyLedgerRequest): readonly Part[] {
  if (full) return PARTS;
  return open_months ? PARTS_OF_OPEN_MONTHS : ['wallets'];
}

/** Where a run continues after a part; null after its last part. */
function nextPart(parts: readonly Part[], { part }: VerifyPlace): VerifyPlace | null {
  const next = parts[parts.indexOf(part) + 1];
  return next === undefined ? null : { part: next, after: NIL };
}

function toCursor(place: VerifyPlace): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws ApiError invalid_body for a cursor that no run has returned */
function fromCursor(parts: readonly Part[], cursor: string): VerifyPlace {
  try {
    const place = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as VerifyPlace;
    if (parts.includes(place.part) && isUuid(place.after)) return place;
  } catch {
    // Invalid JSON falls through to the error below.
  }
  throw new ApiError('invalid_body', 'cursor must be the next_cursor of a report.', { param: 'cursor' });
}

/** Well below the caller's timeout, also if the last page takes long. */
const ENOUGH_MS = 20_000;

interface Step {
  found: Findings;
  next: VerifyPlace | null;
}

/**
 * Compares every wallet with the ledger and reports each violated rule. A run reads the entries since the last run;
 * one of the open months, those that are in no closing. A full run reads all entries again, and every closing, hold, payment and
 * budget. Each stops after a time limit and returns where the next call continues.
 */
@Injectable()
export class VerifyLedger {
  constructor(private readonly database: Database) {}

  execute(request: VerifyLedgerRequest = {}): Promise<LedgerReport> {
    return verifyLedger(this.database, request);
  }
}

export async function verifyLedger(
  database: Transactions,
  request: VerifyLedgerRequest,
  enoughMs = ENOUGH_MS,
): Promise<LedgerReport> {
  assertUuid(request, 'after_account_id');
  const { cursor, after_account_id } = request;
  const parts = partsOf(request);
  const enoughAt = performance.now() + enoughMs;
  const isTimeUp = () => performance.now() >= enoughAt;
  let place: VerifyPlace | null =
    cursor === undefined ? { ...BEGINNING, after: after_account_id ?? NIL } : fromCursor(parts, cursor);
  const isBeginning = cursor === undefined && after_account_id === undefined;
  let found = noFindings(isBeginning ? await auditLedger(database) : []);
  do {
    const step = await takeStep(database, place, isTimeUp);
    found = joinFindings(found, step.found);
    place = step.next ?? nextPart(parts, place);
  } while (place !== null && !isTimeUp());
  return {
    ok: found.violations.length === 0,
    ...found,
    next_account_id: parts.length > 1 ? null : (place?.after ?? null),
    ...(parts.length > 1 && { next_cursor: place && toCursor(place) }),
  };
}

async function takeStep(database: Transactions, place: VerifyPlace, isTimeUp: () => boolean): Promise<Step> {
  const { part, after } = place;
  switch (part) {
    case 'wallets': {
      const { found, next } = await auditWallets(database, after, isTimeUp);
      return { found, next: next === null ? null : { part, after: next } };
    }
    case 'entries': {
      const { violations, next } = await rereadEntries(database, place, isTimeUp, readArchivedSums);
      return { found: noFindings(violations), next: next && { part, ...next } };
    }
    case 'open_months': {
      const { violations, next } = await rereadEntries(database, place, isTimeUp, readClosedSums);
      return { found: noFindings(violations), next: next && { part, ...next } };
    }
    case 'closing_sums': {
      const { violations, next } = await auditClosings(database, after);
      return { found: noFindings(violations), next: next === null ? null : { part, after: next } };
    }
    case 'closings': {
      const { violations, next } = await rereadClosings(database, place, isTimeUp);
      return { found: noFindings(violations), next: next && { part, ...next } };
    }
    case 'holds':
    case 'payments':
    case 'checkouts':
    case 'refunds':
    case 'disputes':
    case 'budgets': {
      const { violations, next } = await auditRows(database, part, after);
      return { found: noFindings(violations), next: next === null ? null : { part, after: next } };
    }
  }
}
