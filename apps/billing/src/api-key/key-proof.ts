import { Injectable } from '@nestjs/common';
import type { PresentedKey, PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import type { MemberRole } from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Queryable } from '@kinora/database';
import { BillingConfig } from '../billing.config';
import { presentedHashes } from './minted-api-key';
import { PresentedKeyRepository } from './api-key.repository';

/** A proven key, and for that of a member's session the member. */
export interface ProvenKey extends PresentedKey {
  user_id: string | null;
  member_role: MemberRole | null;
}

/** Whose sessions change and see money. */
const MONEY_ROLES: readonly (MemberRole | null)[] = [null, 'owner', 'billing'];

/** The key whose secret a request proves. Such a request names no account, so its sender reaches no other one. */
@Injectable()
export class KeyProof {
  constructor(
    private readonly keys: PresentedKeyRepository,
    private readonly config: BillingConfig,
  ) {}

  /** Costs no rate token. @throws ApiError invalid_api_key */
  async getKey(request: PresentedKeyRequest): Promise<PresentedKey> {
    const { user_id: _user, member_role: _role, ...key } = await this.prove(request);
    return key;
  }

  /** @throws ApiError invalid_api_key */
  async prove({ key_sha256 }: PresentedKeyRequest, on?: Queryable): Promise<ProvenKey> {
    const key = await this.keys.find(presentedHashes(this.config, key_sha256), on);
    if (!key) throw new ApiError('invalid_api_key', 'The API key is not valid.');
    const { id: api_key_id, expires_at, ...proven } = key;
    return { ...proven, api_key_id, expires_at: expires_at?.toISOString() ?? null };
  }

  /** A key that may administer the money of its account. @throws ApiError invalid_api_key, scope_required */
  async getAdministrator(request: PresentedKeyRequest): Promise<PresentedKey> {
    const { user_id: _user, member_role, ...key } = await this.prove(request);
    this.assertAdministrator(key);
    if (MONEY_ROLES.includes(member_role)) return key;
    throw new ApiError('scope_required', `A member with the role ${member_role} may not do this.`);
  }

  /** @throws ApiError scope_required */
  assertAdministrator({ scope }: PresentedKey): void {
    if (scope === 'account') return;
    throw new ApiError('scope_required', `This operation needs an API key of the scope account, not ${scope}.`);
  }
}
