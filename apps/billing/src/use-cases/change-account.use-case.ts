import { Injectable } from '@nestjs/common';
import { ACCOUNT_STATUSES } from '@kinora/contracts/billing/account';
import type { AccountDetails, SetLimitsRequest, SetStatusRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { Database } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertGiven, assertLimits, assertOneOf, assertOperator } from '../operator/operator-input';
import { LeaseRecall } from '../rate-limit/leases';

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

/**
 * Sets the status that decides whether an account may create jobs. Any transition is allowed and takes effect at once.
 */
@Injectable()
export class SetStatus {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
    private readonly leaseRecall: LeaseRecall,
  ) {}

  async execute(request: SetStatusRequest): Promise<AccountDetails> {
    assertGiven(request, 'status');
    assertOneOf(request, 'status', ACCOUNT_STATUSES);
    assertOperator(request);
    const { account_id, status, reason = null } = request;
    await this.accounts.assertExists(account_id);
    await this.database.transaction(async (transaction) => {
      await this.accounts.setStatus(transaction, account_id, status, reason);
      await this.auditTrail.record(transaction, 'set_status', request);
    });
    await this.leaseRecall.complete(account_id);
    return this.accounts.getDetails(account_id);
  }
}
