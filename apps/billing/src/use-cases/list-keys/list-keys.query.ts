import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { AccountListRequest, ApiKeyDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { AccountRepository } from '../../account/account.repository';
import { ApiKeyRepository } from '../../api-key/api-key.repository';
import { assertUuid } from '../../operator/operator-input';

const MAX_ROWS = 1_000;

/** Lists an account's keys, newest first, including revoked and expired ones. */
@Injectable()
export class ListKeys {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly apiKeys: ApiKeyRepository,
  ) {}

  async execute({ account_id, cursor }: AccountListRequest): Promise<PartialList<ApiKeyDetails>> {
    assertUuid({ cursor }, 'cursor');
    await this.accounts.assertExists(account_id);
    const found = await this.apiKeys.list(account_id, { cursor: cursor ?? null, limit: MAX_ROWS + 1 });
    return toPage(found, { limit: MAX_ROWS, cursorOf: ({ api_key_id }) => api_key_id });
  }
}
