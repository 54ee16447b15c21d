import { Injectable } from '@nestjs/common';
import { portalRpc } from '@kinora/contracts/billing/portal.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { FastifyReply } from 'fastify';
import { type Session, Sessions } from '../session/sessions';
import { CustomerBus } from './customer-bus';
import { credentialOf } from './gateway/credential';
import { sha256 } from './key-rights';

/** Ends a session, and with it the key that a portal link has made for it. */
@Injectable()
export class SignOut {
  constructor(
    private readonly sessions: Sessions,
    private readonly bus: CustomerBus,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(session: Session, reply: FastifyReply): Promise<void> {
    await this.sessions.end(session, reply);
    if (!session.is_portal) return;
    try {
      await this.bus.request(portalRpc.revokePortalKey, { key_sha256: sha256(credentialOf(session)) });
    } catch (error) {
      // Without the row the key cannot be unsealed, and it expires with the session.
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ api_key_id: session.api_key_id, reason }, 'portal_key_not_revoked');
    }
  }
}
