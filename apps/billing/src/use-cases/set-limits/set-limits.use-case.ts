import { Injectable } from '@nestjs/common';
import type { AccountDetails, SetLimitsRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { Database } from '@kinora/database';
import { AccountRepository } from '../../account/account.repository';
import { assertLimits } from '../../account/assert-limits';
import { AuditTrail } from '../../operator/audit-trail.repository';
import { assertOperator } from '../../operator/operator-input';
import { LeaseRecall } from '../../rate-limit/lease-recall';

/** Changes the given limits with immediate effect. Jobs in flight beyond a lowered limit continue. */
@Injectable()
export class SetLimits {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
    private readonly leaseRecall: LeaseRecall,
  ) {}

  async execute(request: SetLimitsRequest): Promise<AccountDetails> {
    assertLimits(request);
    assertOperator(request);
    await this.accounts.assertExists(request.account_id);
    await this.database.transaction(async (transaction) => {
      await this.accounts.setLimits(transaction, request.account_id, request);
      await this.auditTrail.record(transaction, 'set_limits', request);
    });
    await this.leaseRecall.complete(request.account_id);
    return this.accounts.getDetails(request.account_id);
  }
}
