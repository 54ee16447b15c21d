import { Injectable } from '@nestjs/common';
import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger-report';
import { Database } from '@kinora/database';
import { NIL } from 'uuid';
import { assertUuid } from '../../operator/operator-input';
import { auditRows, rereadEntries } from '../../wallet/full-audit';
import { type Findings, joinFindings, noFindings } from '../../wallet/ledger-report';
import { type Transactions, auditLedger, auditWallets } from '../../wallet/wallet-audit';
import { BEGINNING, type VerifyPlace, fromCursor, nextPart, toCursor } from './verify-place';

/** Well below the caller's timeout, also if the last page takes long. */
const ENOUGH_MS = 20_000;

interface Step {
  found: Findings;
  next: VerifyPlace | null;
}

/**
 * Compares every wallet with the ledger and reports each violated rule. A run reads the entries since the last run. A
 * full run reads all entries again, and every hold, payment and budget. Both stop after a time limit and return where the
 * next call continues.
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
  const { full = false, cursor, after_account_id } = request;
  const enoughAt = performance.now() + enoughMs;
  const isTimeUp = () => performance.now() >= enoughAt;
  let place: VerifyPlace | null =
    cursor === undefined ? { ...BEGINNING, after: after_account_id ?? NIL } : fromCursor(cursor);
  const isBeginning = cursor === undefined && after_account_id === undefined;
  let found = noFindings(isBeginning ? await auditLedger(database) : []);
  do {
    const step = await takeStep(database, place, isTimeUp);
    found = joinFindings(found, step.found);
    place = step.next ?? (full ? nextPart(place) : null);
  } while (place !== null && !isTimeUp());
  return {
    ok: found.violations.length === 0,
    ...found,
    next_account_id: full ? null : (place?.after ?? null),
    ...(full && { next_cursor: place && toCursor(place) }),
  };
}

async function takeStep(database: Transactions, place: VerifyPlace, isTimeUp: () => boolean): Promise<Step> {
  const { part, after, reread } = place;
  switch (part) {
    case 'wallets': {
      const { found, next } = await auditWallets(database, after, isTimeUp);
      return { found, next: next === null ? null : { part, after: next } };
    }
    case 'entries': {
      const { violations, next } = await rereadEntries(database, after, reread, isTimeUp);
      return { found: noFindings(violations), next: next && { part, ...next } };
    }
    case 'holds':
    case 'payments':
    case 'budgets': {
      const { violations, next } = await auditRows(database, part, after);
      return { found: noFindings(violations), next: next === null ? null : { part, after: next } };
    }
  }
}
