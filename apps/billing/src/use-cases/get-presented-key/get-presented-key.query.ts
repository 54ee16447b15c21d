import { Injectable } from '@nestjs/common';
import type { PresentedKey, PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { presentedHashes } from '../../api-key/minted-api-key';
import { PresentedKeyRepository } from '../../api-key/presented-key.repository';
import { BillingConfig } from '../../billing.config';

/** Tells the owner of a key's secret what the key may do and until when. Costs no rate token. */
@Injectable()
export class GetPresentedKey {
  constructor(
    private readonly keys: PresentedKeyRepository,
    private readonly config: BillingConfig,
  ) {}

  async execute({ key_sha256 }: PresentedKeyRequest): Promise<PresentedKey> {
    const key = await this.keys.find(presentedHashes(this.config, key_sha256));
    if (!key) throw new ApiError('invalid_api_key', 'The API key is not valid.');
    const { id: api_key_id, account_id, scope, expires_at } = key;
    return { account_id, api_key_id, scope, expires_at: expires_at?.toISOString() ?? null };
  }
}
