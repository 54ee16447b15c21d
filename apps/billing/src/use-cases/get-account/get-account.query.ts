import { Injectable } from '@nestjs/common';
import type { Account } from '@kinora/contracts/billing/account';
import { accountNotFound } from '../../account/account-not-found';
import { AccountRepository } from '../../account/account.repository';
import { toAccount } from '../../account/account.view';

/** Returns the account of the caller, with the API key of the request. */
@Injectable()
export class GetAccount {
  constructor(private readonly accounts: AccountRepository) {}

  async execute({ account_id, api_key_id }: { account_id: string; api_key_id: string }): Promise<Account> {
    const row = await this.accounts.findWithKey(account_id, api_key_id);
    if (!row) throw accountNotFound();
    return toAccount(row);
  }
}
