import { Injectable } from '@nestjs/common';
import type { ApiKeyDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { AccountRepository } from '../../account/account.repository';
import { ApiKeyRepository } from '../../api-key/api-key.repository';

/** Lists an account's keys, newest first, revoked and expired ones too. */
@Injectable()
export class ListKeys {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly apiKeys: ApiKeyRepository,
  ) {}

  async execute({ account_id }: { account_id: string }): Promise<{ data: ApiKeyDetails[] }> {
    await this.accounts.assertExists(account_id);
    return { data: await this.apiKeys.list(account_id) };
  }
}
