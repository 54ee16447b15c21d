import { Injectable } from '@nestjs/common';
import {
  type CreateAccountRequest,
  type CreatedAccount,
  DEFAULT_LIMITS,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { DEFAULT_KEY_SCOPE, KEY_SCOPES } from '@kinora/contracts/billing/api-key-format';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database, type Queryable } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { AccountRepository } from '../account/account.repository';
import {
  assertGiven,
  assertInteger,
  assertLimits,
  assertOneOf,
  assertOperator,
  assertTimeOrderedId,
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
    private readonly accounts: AccountRepository,
    private readonly opening: AccountOpening,
    private readonly wallets: WalletRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly config: BillingConfig,
  ) {}

  async execute(request: CreateAccountRequest): Promise<CreatedAccount> {
    assertGiven(request, 'name');
    assertVisibleText(request, 'name', { min: 1, max: MAX_NAME_LENGTH });
    assertTimeOrderedId(request, 'account_id');
    assertInteger(request, 'balance_micros', { min: 0 });
    assertInteger(request, 'credit_micros', { min: 0 });
    assertOneOf(request, 'key_scope', KEY_SCOPES);
    assertLimits(request);
    assertOperator(request);
    try {
      return await this.database.transaction((transaction) =>
        this.insert(transaction, { balance_micros: 0, credit_micros: 0, ...DEFAULT_LIMITS, ...request }),
      );
    } catch (error) {
      // Of two concurrent requests, one inserts the account and the other finds it.
      const { account_id } = request;
      if (account_id === undefined || !(await this.accounts.exists(account_id))) throw error;
      const message = `Account ${account_id} exists already. An earlier request has created it, and its key.`;
      throw new ApiError('invalid_body', message, { param: 'account_id' });
    }
  }

  private async insert(
    transaction: Queryable,
    request: NewAccount & { balance_micros: Micros; credit_micros: Micros },
  ): Promise<CreatedAccount> {
    const { balance_micros, credit_micros, key_scope = DEFAULT_KEY_SCOPE } = request;
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
    const openings = [
      { kind: 'top_up', amount_micros: balance_micros, reason: 'opening balance' },
      { kind: 'credit', amount_micros: credit_micros, reason: 'opening credit' },
    ] as const;
    for (const opening of openings)
      if (opening.amount_micros > 0) await this.wallets.changeBalance(transaction, { ...opening, account_id });
    return { account_id, api_key, api_key_id, webhook_secret };
  }
}
