import { Injectable } from '@nestjs/common';
import type { ApiKeyDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { validate as isUuid } from 'uuid';
import { ApiKeyRepository } from '../../api-key/api-key.repository';

/** Makes a key unknown at the door, for good; a second time changes nothing. */
@Injectable()
export class RevokeKey {
  constructor(private readonly apiKeys: ApiKeyRepository) {}

  async execute({ api_key_id }: { api_key_id: string }): Promise<ApiKeyDetails> {
    const revoked = isUuid(api_key_id) ? await this.apiKeys.revoke(api_key_id) : null;
    if (!revoked) throw new ApiError('not_found', 'There is no such key.', { param: 'api_key_id' });
    return revoked;
  }
}
