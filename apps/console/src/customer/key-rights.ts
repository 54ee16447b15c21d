import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { includesScope, type KeyScope } from '@kinora/contracts/billing/api-key-format';
import { portalRpc, type PresentedKey, type PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { ConsoleError } from '../http/console-error';
import type { SessionRow } from '../session/session.repository';
import type { Session } from '../session/sessions';
import { CustomerBus } from './customer-connection';
import { credentialOf } from './gateway/gateway-client';

/** Speaks to billing with the proof of a session's key. A request that does not go through the gateway must ask here first. */
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
    if (!key) throw notSignedIn();
    if (!includesScope(key.scope, required)) throw lacking(required);
    return key.account_id;
  }

  /** Billing checks the key and its scope, and takes the account from the key. @throws ConsoleError not_signed_in, capability_required */
  async request<Request extends PresentedKeyRequest, Response>(
    contract: RpcContract<Request, Response>,
    session: Session,
    fields: Omit<Request, keyof PresentedKeyRequest>,
  ): Promise<Response> {
    try {
      const proof: PresentedKeyRequest = { key_sha256: sha256(credentialOf(session)) };
      return await this.bus.request(contract, { ...fields, ...proof } as Request);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_api_key') throw notSignedIn();
      // Services require no other scope.
      if (error instanceof ApiError && error.code === 'scope_required') throw lacking('account');
      throw error;
    }
  }
}

function notSignedIn(): ConsoleError {
  return new ConsoleError('not_signed_in', 'The API key of this session is not valid any more. Sign in again.');
}

function lacking(required: KeyScope): ConsoleError {
  return new ConsoleError('capability_required', `This needs a session with the capability ${required}.`);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The keys that portal links have made, each for one session. They end with their session. */
@Injectable()
export class PortalKeys {
  constructor(
    private readonly bus: CustomerBus,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @param by the session that ends the other one; its key proves the request */
  async revokeOf({ is_portal, api_key_id }: Pick<SessionRow, 'is_portal' | 'api_key_id'>, by: Session): Promise<void> {
    if (!is_portal) return;
    const target = api_key_id === null || api_key_id === by.api_key_id ? {} : { target_key_id: api_key_id };
    try {
      await this.bus.request(portalRpc.revokePortalKey, { key_sha256: sha256(credentialOf(by)), ...target });
    } catch (error) {
      // Without the row the key cannot be unsealed, and it expires with the session.
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ api_key_id, reason }, 'portal_key_not_revoked');
    }
  }
}
