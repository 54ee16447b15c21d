import { Injectable } from '@nestjs/common';
import { portalRpc } from '@kinora/contracts/billing/portal.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { SessionRow } from '../session/session.repository';
import type { Session } from '../session/sessions';
import { CustomerBus } from './customer-bus';
import { credentialOf } from './gateway/credential';
import { sha256 } from './key-rights';

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
