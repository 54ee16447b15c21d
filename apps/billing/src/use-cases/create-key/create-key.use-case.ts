import { Injectable } from '@nestjs/common';
import type { CreateKeyRequest, CreatedKey } from '@kinora/contracts/billing/billing-admin.rpc';
import { Database } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { AccountRepository } from '../../account/account.repository';
import { ApiKeyRepository } from '../../api-key/api-key.repository';
import { mintApiKey } from '../../api-key/minted-api-key';
import { BillingConfig } from '../../billing.config';
import { MAX_NAME_LENGTH, assertFutureTime, assertGiven, assertText } from '../../operator-input';

/** Issues another key for an account. It is shown once and cannot be read again. */
@Injectable()
export class CreateKey {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly config: BillingConfig,
  ) {}

  async execute(request: CreateKeyRequest): Promise<CreatedKey> {
    assertGiven(request, 'name');
    assertText(request, 'name', MAX_NAME_LENGTH);
    assertFutureTime(request, 'expires_at');
    const { account_id, name, expires_at = null } = request;
    await this.accounts.assertExists(account_id);
    const { key: api_key, ...stored } = mintApiKey(this.config.keyPepper);
    const api_key_id = uuidv7();
    await this.apiKeys.insert(this.database, { id: api_key_id, account_id, name, expires_at, ...stored });
    return { api_key, api_key_id, prefix: stored.prefix };
  }
}
