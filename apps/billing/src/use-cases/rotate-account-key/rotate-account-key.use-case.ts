import { Injectable } from '@nestjs/common';
import type { IssuedApiKey } from '@kinora/contracts/billing/account-key';
import type { RotateAccountKeyRequest } from '@kinora/contracts/billing/self-service.rpc';
import { ApiKeyRepository } from '../../api-key/api-key.repository';
import { KeyChange } from '../../api-key/key-change';
import { ManagedKeyRepository, toApiKey } from '../../api-key/managed-key.repository';
import { mintApiKey } from '../../api-key/minted-api-key';
import { BillingConfig } from '../../billing.config';
import { LeaseRecall } from '../../rate-limit/lease-recall';

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
