import { Injectable } from '@nestjs/common';
import type { ApiKeyDetails, RevokeKeyRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { validate as isUuid } from 'uuid';
import { AccountRepository } from '../../account/account.repository';
import { ApiKeyRepository } from '../../api-key/api-key.repository';
import { KeyBudgetRepository } from '../../api-key/key-budget.repository';
import { AuditTrail } from '../../operator/audit-trail.repository';
import { assertOperator } from '../../operator/operator-input';
import { LeaseRecall } from '../../rate-limit/lease-recall';

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
    if (accountId === null) throw new ApiError('not_found', 'There is no such key.', { param: 'api_key_id' });
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
