import { Injectable } from '@nestjs/common';
import { ACCOUNT_STATUSES } from '@kinora/contracts/billing/account';
import type { AccountDetails, SetStatusRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { AccountRepository } from '../../account/account.repository';
import { MAX_REASON_LENGTH, assertGiven, assertOneOf, assertText } from '../../operator-input';

/** Lets an account create jobs, or keeps it from that; from any status to any other, in force with the answer. */
@Injectable()
export class SetStatus {
  constructor(private readonly accounts: AccountRepository) {}

  async execute(request: SetStatusRequest): Promise<AccountDetails> {
    assertGiven(request, 'status');
    assertOneOf(request, 'status', ACCOUNT_STATUSES);
    assertText(request, 'reason', MAX_REASON_LENGTH);
    await this.accounts.assertExists(request.account_id);
    await this.accounts.setStatus(request.account_id, request.status, request.reason ?? null);
    return this.accounts.getDetails(request.account_id);
  }
}
