import { Injectable } from '@nestjs/common';
import { CAP_PERIODS, type CreateKeyRequest, type CreatedKey } from '@kinora/contracts/billing/billing-admin.rpc';
import { DEFAULT_KEY_SCOPE, KEY_NAME_CHARS, KEY_SCOPES } from '@kinora/contracts/billing/api-key-format';
import { Database } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { AccountRepository } from '../account/account.repository';
import { ApiKeyRepository } from '../api-key/api-key.repository';
import { KeyBudgetRepository } from '../api-key/key-budget.repository';
import { mintApiKey } from '../api-key/minted-api-key';
import { BillingConfig } from '../billing.config';
import { AuditTrail } from '../operator/audit-trail.repository';
import {
  assertFutureTime,
  assertGiven,
  assertInteger,
  assertOneOf,
  assertOperator,
  assertTexts,
  assertVisibleText,
} from '../operator/operator-input';

const MODEL_LIST = { maxItems: 100, maxLength: 200 };

/** Issues another key for an account, with optional limits. The key is returned once and cannot be read again. */
@Injectable()
export class CreateKey {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly budgets: KeyBudgetRepository,
    private readonly auditTrail: AuditTrail,
    private readonly config: BillingConfig,
  ) {}

  async execute(request: CreateKeyRequest): Promise<CreatedKey> {
    assertKeyRequest(request);
    const { account_id, name, scope = DEFAULT_KEY_SCOPE, expires_at = null, allowed_models = null } = request;
    const { cap_micros, cap_period } = request;
    await this.accounts.assertExists(account_id);
    const { key: api_key, ...stored } = mintApiKey(this.config.keyPepper);
    const id = uuidv7();
    await this.database.transaction(async (transaction) => {
      await this.apiKeys.insert(transaction, { id, account_id, name, scope, expires_at, allowed_models, ...stored });
      await this.auditTrail.record(transaction, 'create_key', { ...request, api_key_id: id });
      if (cap_micros !== undefined && cap_period !== undefined)
        await this.budgets.insert(transaction, { api_key_id: id, cap_micros, period: cap_period });
    });
    return { api_key, api_key_id: id, prefix: stored.prefix };
  }
}

/** @throws ApiError invalid_body */
function assertKeyRequest(request: CreateKeyRequest): void {
  assertGiven(request, 'name');
  assertVisibleText(request, 'name', KEY_NAME_CHARS);
  assertOperator(request);
  assertOneOf(request, 'scope', KEY_SCOPES);
  assertFutureTime(request, 'expires_at');
  assertTexts(request, 'allowed_models', MODEL_LIST);
  assertInteger(request, 'cap_micros');
  assertOneOf(request, 'cap_period', CAP_PERIODS);
  if (request.cap_micros !== undefined) assertGiven(request, 'cap_period');
  if (request.cap_period !== undefined) assertGiven(request, 'cap_micros');
}
