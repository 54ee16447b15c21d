import { Injectable } from '@nestjs/common';
import type { OperatorRequest } from '@kinora/contracts/billing/operator-action';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database } from '@kinora/database';
import { AuditTrail } from '../operator/audit-trail';
import { type BalanceChangeKind, WalletRepository } from './wallet.repository';

/** Changes a balance as an operator wishes, and remembers who wished it. Not idempotent: two top-ups are two. */
@Injectable()
export class BalanceChange {
  constructor(
    private readonly database: Database,
    private readonly auditTrail: AuditTrail,
    private readonly wallets: WalletRepository,
  ) {}

  /** @throws ApiError invalid_body for more than a wallet can hold, or less than it has. */
  async make(
    kind: BalanceChangeKind,
    request: OperatorRequest & { account_id: string; amount_micros: Micros },
  ): Promise<void> {
    const { account_id, amount_micros, reason = null } = request;
    await this.database.transaction(async (transaction) => {
      await this.auditTrail.record(transaction, kind, request);
      await this.wallets.changeBalance(transaction, { kind, account_id, amount_micros, reason });
    });
  }
}
