import { Injectable } from '@nestjs/common';
import {
  type CreateAccountRequest,
  type CreatedAccount,
  DEFAULT_LIMITS,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { DEFAULT_KEY_SCOPE, KEY_SCOPES } from '@kinora/contracts/billing/api-key-format';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database, type Queryable } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import {
  assertGiven,
  assertInteger,
  assertLimits,
  assertOneOf,
  assertOperator,
  assertVisibleText,
  MAX_NAME_LENGTH,
} from '../operator/operator-input';
import { ApiKeyRepository } from '../api-key/api-key.repository';
import { mintApiKey } from '../api-key/minted-api-key';
import { BillingConfig } from '../billing.config';
import { AccountOpening, type NewAccount } from '../opening/account-opening';
import { WalletRepository } from '../wallet/wallet.repository';

/** Creates an account that can be used at once: with a wallet, an opening balance, a key and a webhook secret. */
@Injectable()
export class CreateAccount {
  constructor(
    private readonly database: Database,
    private readonly opening: AccountOpening,
    private readonly wallets: WalletRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly config: BillingConfig,
  ) {}

  async execute(request: CreateAccountRequest): Promise<CreatedAccount> {
    assertGiven(request, 'name');
    assertVisibleText(request, 'name', { min: 1, max: MAX_NAME_LENGTH });
    assertInteger(request, 'balance_micros', { min: 0 });
    assertOneOf(request, 'key_scope', KEY_SCOPES);
    assertLimits(request);
    assertOperator(request);
    return this.database.transaction((transaction) =>
      this.insert(transaction, { balance_micros: 0, ...DEFAULT_LIMITS, ...request }),
    );
  }

  private async insert(
    transaction: Queryable,
    request: NewAccount & { balance_micros: Micros },
  ): Promise<CreatedAccount> {
    const { balance_micros, key_scope = DEFAULT_KEY_SCOPE } = request;
    const { account_id, webhook_secret } = await this.opening.open(transaction, request);
    const { key: api_key, ...stored } = mintApiKey(this.config.keyPepper);
    const api_key_id = uuidv7();
    await this.apiKeys.insert(transaction, {
      id: api_key_id,
      account_id,
      name: 'default',
      scope: key_scope,
      expires_at: null,
      allowed_models: null,
      ...stored,
    });
    if (balance_micros > 0) {
      const opening = { kind: 'top_up', account_id, amount_micros: balance_micros, reason: 'opening balance' } as const;
      await this.wallets.changeBalance(transaction, opening);
    }
    return { account_id, api_key, api_key_id, webhook_secret };
  }
}
