import { Injectable } from '@nestjs/common';
import type { TargetKeyRequest } from '@kinora/contracts/billing/self-service.rpc';
import type { Queryable } from '@kinora/database';
import { ApiKeyRepository } from '../../api-key/api-key.repository';
import { KeyBudgetRepository } from '../../api-key/key-budget.repository';
import { KeyChange } from '../../api-key/key-change';
import { assertReplaceable } from '../../api-key/last-account-key';
import { type CallingKey, ManagedKeyRepository } from '../../api-key/managed-key.repository';
import { LeaseRecall } from '../../rate-limit/lease-recall';

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
      assertReplaceable(id, await this.keys.listAccountKeys(transaction, account_id));
      await this.apiKeys.revoke(transaction, id);
      await this.budgets.takeBack(transaction, id);
      return { record: { action: 'revoke_key', details: { revoked_key_id: id } }, result: undefined };
    };
    await this.change.execute(caller, revoke, { isLimited: false });
    await this.leaseRecall.complete(account_id, target_key_id);
    return {};
  }
}
