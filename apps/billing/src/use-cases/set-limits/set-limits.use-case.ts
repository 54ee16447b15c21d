import { Injectable } from '@nestjs/common';
import type { AccountDetails, SetLimitsRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { AccountRepository } from '../../account/account.repository';
import { assertLimits } from '../../account/assert-limits';

/** Changes the limits that are given, in force with the answer. Jobs in flight beyond a lower limit go on. */
@Injectable()
export class SetLimits {
  constructor(private readonly accounts: AccountRepository) {}

  async execute(request: SetLimitsRequest): Promise<AccountDetails> {
    assertLimits(request);
    await this.accounts.assertExists(request.account_id);
    await this.accounts.setLimits(request.account_id, request);
    return this.accounts.getDetails(request.account_id);
  }
}
