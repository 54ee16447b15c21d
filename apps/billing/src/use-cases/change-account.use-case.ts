import { Injectable } from '@nestjs/common';
import { ACCOUNT_STATUSES } from '@kinora/contracts/billing/account';
import type {
  AccountDetails,
  SetLimitsRequest,
  SetPriceGroupRequest,
  SetStatusRequest,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { OperatorRequest } from '@kinora/contracts/billing/operator-action';
import { Database, type Queryable } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertGiven, assertLimits, assertOneOf, assertOperator, assertPriceGroup } from '../operator/operator-input';
import { LeaseRecall } from '../rate-limit/leases';

/** What operators change about an account, each with its record and with immediate effect. */
@Injectable()
export class ChangeAccount {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
    private readonly leaseRecall: LeaseRecall,
  ) {}

  /** Changes the given limits. Jobs in flight beyond a lowered limit continue. */
  async setLimits(request: SetLimitsRequest): Promise<AccountDetails> {
    assertLimits(request);
    return this.change('set_limits', request, (transaction) =>
      this.accounts.setLimits(transaction, request.account_id, request),
    );
  }

  /** Sets the status that decides whether an account may create jobs. Any transition is allowed. */
  async setStatus(request: SetStatusRequest): Promise<AccountDetails> {
    assertGiven(request, 'status');
    assertOneOf(request, 'status', ACCOUNT_STATUSES);
    const { account_id, status, reason = null } = request;
    return this.change('set_status', request, (transaction) =>
      this.accounts.setStatus(transaction, account_id, status, reason),
    );
  }

  /** Sets whose prices the account pays. Quotes that were given, and jobs in flight, keep their price. */
  async setPriceGroup(request: SetPriceGroupRequest): Promise<AccountDetails> {
    assertPriceGroup(request);
    const { account_id, price_group } = request;
    return this.change('set_price_group', request, (transaction) =>
      this.accounts.setPriceGroup(transaction, account_id, price_group),
    );
  }

  private async change<Request extends OperatorRequest & { account_id: string }>(
    action: string,
    request: Request,
    change: (transaction: Queryable) => Promise<void>,
  ): Promise<AccountDetails> {
    assertOperator(request);
    const { account_id } = request;
    await this.accounts.assertExists(account_id);
    await this.database.transaction(async (transaction) => {
      await change(transaction);
      await this.auditTrail.record(transaction, action, request);
    });
    await this.leaseRecall.complete(account_id);
    return this.accounts.getDetails(account_id);
  }
}
