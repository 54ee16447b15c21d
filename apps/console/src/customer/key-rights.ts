import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type KeyScope, includesScope } from '@kinora/contracts/billing/key-scope';
import { type PresentedKey, portalRpc } from '@kinora/contracts/billing/portal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ConsoleError } from '../http/console-error';
import type { Session } from '../session/sessions';
import { CustomerBus } from './customer-bus';
import { credentialOf } from './gateway/credential';

/** Reads what a key may do at this moment. A request that does not go through the gateway must ask here first. */
@Injectable()
export class KeyRights {
  constructor(private readonly bus: CustomerBus) {}

  /** Null for a key that does not work. @throws ApiError capacity */
  async find(apiKey: string): Promise<PresentedKey | null> {
    try {
      return await this.bus.request(portalRpc.describeKey, { key_sha256: sha256(apiKey) });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_api_key') return null;
      throw error;
    }
  }

  /** @returns the account of the session. @throws ConsoleError not_signed_in, capability_required */
  async assert(session: Session, required: KeyScope): Promise<string> {
    const key = await this.find(credentialOf(session));
    if (!key)
      throw new ConsoleError('not_signed_in', 'The API key of this session is not valid any more. Sign in again.');
    if (!includesScope(key.scope, required))
      throw new ConsoleError('capability_required', `This needs a session with the capability ${required}.`);
    return key.account_id;
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
