import { Injectable } from '@nestjs/common';
import type { PresentedKey, PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { BillingConfig } from '../billing.config';
import { presentedHashes } from './minted-api-key';
import { PresentedKeyRepository } from './api-key.repository';

/** The key whose secret a request proves. Such a request names no account, so its sender reaches no other one. */
@Injectable()
export class KeyProof {
  constructor(
    private readonly keys: PresentedKeyRepository,
    private readonly config: BillingConfig,
  ) {}

  /** Costs no rate token. @throws ApiError invalid_api_key */
  async getKey({ key_sha256 }: PresentedKeyRequest): Promise<PresentedKey> {
    const key = await this.keys.find(presentedHashes(this.config, key_sha256));
    if (!key) throw new ApiError('invalid_api_key', 'The API key is not valid.');
    const { id: api_key_id, account_id, scope, expires_at } = key;
    return { account_id, api_key_id, scope, expires_at: expires_at?.toISOString() ?? null };
  }

  /** A key that may administer its account. @throws ApiError invalid_api_key, scope_required */
  async getAdministrator(request: PresentedKeyRequest): Promise<PresentedKey> {
    const key = await this.getKey(request);
    this.assertAdministrator(key);
    return key;
  }

  /** @throws ApiError scope_required */
  assertAdministrator({ scope }: PresentedKey): void {
    if (scope === 'account') return;
    throw new ApiError('scope_required', `This operation needs an API key of the scope account, not ${scope}.`);
  }
}
