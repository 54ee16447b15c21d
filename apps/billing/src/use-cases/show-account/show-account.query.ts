import { Injectable } from '@nestjs/common';
import type { AccountDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { AccountRepository } from '../../account/account.repository';

/** Returns an account for operators. */
@Injectable()
export class ShowAccount {
  constructor(private readonly accounts: AccountRepository) {}

  async execute({ account_id }: { account_id: string }): Promise<AccountDetails> {
    return this.accounts.getDetails(account_id);
  }
}
