import { Injectable } from '@nestjs/common';
import type { LedgerReport } from '@kinora/contracts/billing/billing-admin.rpc';
import { Database } from '@kinora/database';
import { auditLedger } from '../../wallet/audit-ledger';

/** Recomputes every wallet from the ledger and names each rule that does not hold. */
@Injectable()
export class VerifyLedger {
  constructor(private readonly database: Database) {}

  async execute(): Promise<LedgerReport> {
    return this.database.transaction(auditLedger);
  }
}
