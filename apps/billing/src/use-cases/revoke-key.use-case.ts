import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { IssuedApiKey } from '@kinora/contracts/billing/account-key';
import type { ApiKeyDetails, RevokeKeyRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import type { RotateAccountKeyRequest, TargetKeyRequest } from '@kinora/contracts/billing/self-service.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, type Queryable } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { ApiKeyRepository } from '../api-key/api-key.repository';
import { KeyBudgetRepository } from '../api-key/key-budget.repository';
import { KeyChange } from '../api-key/key-change';
import { assertReplaceable, type CallingKey, ManagedKeyRepository, toApiKey } from '../api-key/managed-key.repository';
import { mintApiKey } from '../api-key/minted-api-key';
import { BillingConfig } from '../billing.config';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertOperator } from '../operator/operator-input';
import { LeaseRecall } from '../rate-limit/leases';

/** Revokes a key permanently; a repeated revocation changes nothing. */
@Injectable()
export class RevokeKey {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly budgets: KeyBudgetRepository,
    private readonly auditTrail: AuditTrail,
    private readonly leaseRecall: LeaseRecall,
  ) {}

  async execute(request: RevokeKeyRequest): Promise<ApiKeyDetails> {
    assertOperator(request);
    const { api_key_id } = request;
    const accountId = isUuid(api_key_id) ? await this.apiKeys.findAccount(api_key_id) : null;
    if (accountId === null || accountId !== (request.account_id ?? accountId))
      throw new ApiError('not_found', 'There is no such key.', { param: 'api_key_id' });
    const revoked = await this.database.transaction(async (transaction) => {
      // As for a change by a key: no concurrent one may take this key for valid.
      await this.accounts.lock(transaction, accountId);
      await this.auditTrail.record(transaction, 'revoke_key', { ...request, account_id: accountId });
      const details = await this.apiKeys.revoke(transaction, api_key_id);
      await this.budgets.takeBack(transaction, api_key_id);
      return details;
    });
    await this.leaseRecall.complete(accountId, api_key_id);
    return revoked;
  }
}

/** Revokes a key that the caller manages, itself included. No account loses its last key of the scope `account` this way. */
@Injectable()
export class RevokeAccountKey {
  constructor(
    private readonly change: KeyChange,
    private readonly keys: ManagedKeyRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly budgets: KeyBudgetRepository,
    private readonly leaseRecall: LeaseRecall,
  ) {}

  async execute({ target_key_id, ...caller }: TargetKeyRequest): Promise<Record<string, never>> {
    const { account_id } = caller;
    const revoke = async (transaction: Queryable, calling: CallingKey) => {
      const { id } = await this.keys.getManaged(transaction, calling, target_key_id);
      // An owner who signs in with a password needs no key to administer the account.
      if (calling.member_role === null) assertReplaceable(id, await this.keys.listAccountKeys(transaction, account_id));
      await this.apiKeys.revoke(transaction, id);
      await this.budgets.takeBack(transaction, id);
      return { record: { action: 'revoke_key', details: { revoked_key_id: id } }, result: undefined };
    };
    await this.change.execute(caller, revoke, { isLimited: false });
    await this.leaseRecall.complete(account_id, target_key_id);
    return {};
  }
}

/**
 * Replaces the secret of a key that the caller manages, itself included. The key stays the same, so a rotation can neither
 * double its budget or rate nor outlive its expiry, and its revocation ends both secrets.
 */
@Injectable()
export class RotateAccountKey {
  constructor(
    private readonly change: KeyChange,
    private readonly keys: ManagedKeyRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly leaseRecall: LeaseRecall,
    private readonly config: BillingConfig,
  ) {}

  async execute({ target_key_id, overlap_seconds, ...caller }: RotateAccountKeyRequest): Promise<IssuedApiKey> {
    const { key: api_key, prefix, hash } = mintApiKey(this.config.keyPepper);
    const rotated = await this.change.execute(caller, async (transaction, calling) => {
      const target = await this.keys.getManaged(transaction, calling, target_key_id);
      await this.apiKeys.replaceSecret(transaction, target.id, { hash, prefix, overlapSeconds: overlap_seconds });
      return {
        record: { action: 'rotate_key', details: { rotated_key_id: target.id, overlap_seconds } },
        result: { ...target, prefix },
      };
    });
    await this.leaseRecall.complete(caller.account_id);
    return { ...toApiKey(rotated), api_key };
  }
}
