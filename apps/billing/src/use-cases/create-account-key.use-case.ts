import { Injectable } from '@nestjs/common';
import type { IssuedApiKey } from '@kinora/contracts/billing/account-key';
import type { CreateAccountKeyBody } from '@kinora/contracts/billing/account-key.body';
import type { CreateAccountKeyRequest } from '@kinora/contracts/billing/self-service.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Queryable } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { ApiKeyRepository } from '../api-key/api-key.repository';
import { KeyBudgetRepository } from '../api-key/key-budget.repository';
import { KeyChange } from '../api-key/key-change';
import { type NewKeyRights, rightsOfNewKey } from '../api-key/key-rights';
import { type CallingKey, ManagedKeyRepository, toApiKey } from '../api-key/managed-key.repository';
import { mintApiKey } from '../api-key/minted-api-key';
import { BillingConfig } from '../billing.config';
import { assertFutureTime, assertGiven, assertTexts } from '../operator/operator-input';

/** Keys of an account that are not revoked. Those that operators make count, and are not bounded. */
export const MAX_KEYS = 100;
const MODEL_LIST = { maxItems: 100, maxLength: 64 };

/** Issues a key that exceeds the key of the request in nothing. Its secret is in this answer only. */
@Injectable()
export class CreateAccountKey {
  constructor(
    private readonly change: KeyChange,
    private readonly keys: ManagedKeyRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly budgets: KeyBudgetRepository,
    private readonly config: BillingConfig,
  ) {}

  async execute({ input, ...caller }: CreateAccountKeyRequest): Promise<IssuedApiKey> {
    assertCombination(input);
    const { key: api_key, ...secret } = mintApiKey(this.config.keyPepper);
    return this.change.execute(caller, async (transaction, calling) => {
      // Read again under the lock: a reserve may have spent of the budget meanwhile.
      const locked = await this.budgets.lock(transaction, calling.id);
      const rights = rightsOfNewKey(input, { ...calling, budget: locked?.own ?? null });
      await this.assertRoom(transaction, caller.account_id);
      const id = uuidv7();
      await this.insert(transaction, calling, { id, name: input.name, secret, rights });
      if (locked && rights.budget)
        await this.budgets.give(transaction, locked.own, { api_key_id: id, ...rights.budget });
      else if (rights.budget) await this.budgets.insert(transaction, { api_key_id: id, ...rights.budget });
      const created = await this.keys.getManaged(transaction, calling, id);
      return {
        record: { action: 'create_key', details: { ...input, created_key_id: id } },
        result: { ...toApiKey(created), api_key },
      };
    });
  }

  private async insert(
    transaction: Queryable,
    { id: created_by, account_id }: CallingKey,
    { secret, rights, ...key }: NamedKey,
  ): Promise<void> {
    const { scope, allowed_models, expires_at } = rights;
    const until = expires_at?.toISOString() ?? null;
    await this.apiKeys.insert(transaction, {
      ...key,
      ...secret,
      account_id,
      scope,
      allowed_models,
      expires_at: until,
      created_by,
    });
  }

  private async assertRoom(transaction: Queryable, accountId: string): Promise<void> {
    if ((await this.keys.count(transaction, accountId)) < MAX_KEYS) return;
    throw new ApiError(
      'too_many_keys',
      `The account has ${MAX_KEYS} keys, the most that it may have. Revoke one first, also an expired one.`,
    );
  }
}

interface NamedKey {
  id: string;
  name: string;
  secret: { prefix: string; hash: Buffer };
  rights: NewKeyRights;
}

/** The rules that no field has by itself. @throws ApiError invalid_body */
function assertCombination(input: CreateAccountKeyBody): void {
  assertTexts(input, 'models', MODEL_LIST);
  assertFutureTime(input, 'expires_at');
  if (input.budget_micros !== undefined) assertGiven(input, 'budget_period');
  if (input.budget_period !== undefined) assertGiven(input, 'budget_micros');
}
