import { Injectable } from '@nestjs/common';
import {
  type AccountLimits,
  type CreateAccountRequest,
  type CreatedAccount,
  DEFAULT_LIMITS,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { DEFAULT_KEY_SCOPE, KEY_SCOPES } from '@kinora/contracts/billing/api-key-format';
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
  assertVisibleText,
  MAX_NAME_LENGTH,
} from '../operator/operator-input';
import { WebhookSecretRepository } from '../account/webhook-secret.repository';
import { ApiKeyRepository } from '../api-key/api-key.repository';
import { mintApiKey } from '../api-key/minted-api-key';
import { BillingConfig } from '../billing.config';
import { AuditTrail } from '../operator/audit-trail.repository';
import { WalletRepository } from '../wallet/wallet.repository';

type NewAccount = CreateAccountRequest & Required<AccountLimits>;

/** Creates an account that can be used at once: with a wallet, an opening balance, a key and a webhook secret. */
@Injectable()
export class CreateAccount {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly wallets: WalletRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly webhookSecrets: WebhookSecretRepository,
    private readonly auditTrail: AuditTrail,
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

  /** An account without a key: its members sign in. */
  async open(
    transaction: Queryable,
    request: NewAccount,
  ): Promise<Pick<CreatedAccount, 'account_id' | 'webhook_secret'>> {
    const { name, rate_limit_rpm, retention_days, max_concurrent_jobs } = request;
    const account_id = uuidv7();
    await this.accounts.insert(transaction, { id: account_id, name, rate_limit_rpm, retention_days });
    await this.wallets.open(transaction, account_id, max_concurrent_jobs);
    const webhook_secret = await this.webhookSecrets.issue(transaction, account_id);
    await this.auditTrail.record(transaction, 'create_account', { ...request, account_id });
    return { account_id, webhook_secret };
  }

  private async insert(
    transaction: Queryable,
    request: NewAccount & { balance_micros: Micros },
  ): Promise<CreatedAccount> {
    const { balance_micros, key_scope = DEFAULT_KEY_SCOPE } = request;
    const { account_id, webhook_secret } = await this.open(transaction, request);
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
