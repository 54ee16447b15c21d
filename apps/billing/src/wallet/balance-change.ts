import { Injectable } from '@nestjs/common';
import type { OperatorRequest } from '@kinora/contracts/billing/operator-action';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database } from '@kinora/database';
import { AuditTrail } from '../operator/audit-trail.repository';
import { type BalanceChangeKind, type ReferencedEntry, WalletRepository } from './wallet.repository';

type BalanceChangeRequest = OperatorRequest & { account_id: string; amount_micros: Micros; reference?: string };

/** The ledger entry of a change: a new one, or the first one with the same reference. */
export interface BalanceEntry {
  entry_id: string;
  entry_repeated: boolean;
}

/**
 * Changes a balance for an operator and records it in the audit trail. A reference makes the change idempotent, also for
 * concurrent requests. Without one, a repeated request is a second change.
 */
@Injectable()
export class BalanceChange {
  constructor(
    private readonly database: Database,
    private readonly auditTrail: AuditTrail,
    private readonly wallets: WalletRepository,
  ) {}

  /**
   * @throws ApiError invalid_body if the amount exceeds the limit of a wallet or its balance, or if another change has
   * the reference
   */
  async make(kind: BalanceChangeKind, request: BalanceChangeRequest): Promise<BalanceEntry> {
    const { account_id, amount_micros, reason = null, reference = null } = request;
    const change = { kind, account_id, amount_micros, reason, reference };
    try {
      const entry_id = await this.database.transaction(async (transaction) => {
        await this.auditTrail.record(transaction, kind, request);
        return this.wallets.changeBalance(transaction, change);
      });
      return { entry_id, entry_repeated: false };
    } catch (error) {
      // The first use of a reference decides, also if its amount would not fit the balance a second time. Of two concurrent
      // requests, one inserts the entry and the other finds it.
      const first = reference === null ? null : await this.wallets.findReference(this.database, account_id, reference);
      if (!first) throw error;
      if (first.kind !== kind || first.amount_micros !== amount_micros) throw referenceTaken(first, request);
      return { entry_id: first.entry_id, entry_repeated: true };
    }
  }
}

function referenceTaken({ kind, amount_micros }: ReferencedEntry, { reference }: BalanceChangeRequest): ApiError {
  const article = kind === 'adjustment' ? 'an' : 'a';
  const message = `reference ${reference} was used for ${article} ${kind} of ${amount_micros} micros of this account already.`;
  return new ApiError('invalid_body', message, { param: 'reference' });
}
