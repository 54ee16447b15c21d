import { Injectable } from '@nestjs/common';
import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { Database } from '@kinora/database';
import { assertUuid } from '../../operator/operator-input';
import { auditPage, joinReports } from '../../wallet/audit-ledger';

/** Well within the caller's patience, also when the last page takes long. */
const ENOUGH_MS = 20_000;

/**
 * Recomputes every wallet from the ledger and names each rule that does not hold. Each page of accounts is read at one
 * moment, so that money in motion is never taken for money that is missing.
 */
@Injectable()
export class VerifyLedger {
  constructor(private readonly database: Database) {}

  async execute(request: VerifyLedgerRequest = {}): Promise<LedgerReport> {
    assertUuid(request, 'after_account_id');
    const enoughAt = performance.now() + ENOUGH_MS;
    let report = await this.audit(request.after_account_id ?? null);
    while (report.next_account_id !== null && performance.now() < enoughAt)
      report = joinReports(report, await this.audit(report.next_account_id));
    return report;
  }

  private audit(afterAccountId: string | null): Promise<LedgerReport> {
    return this.database.transaction((transaction) => auditPage(transaction, afterAccountId));
  }
}
