import { Injectable } from '@nestjs/common';
import { portalRpc } from '@kinora/contracts/billing/portal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AttemptLimits } from '../session/attempt-limits';
import { refuseEvenly } from '../session/even-refusal';
import { type NewCustomer, type Session, Sessions } from '../session/sessions';
import { CustomerBus } from './customer-bus';
import { sha256 } from './key-rights';

const REFUSED = 'The link is not valid: it was used before, or has expired. Ask for a new one.';

/** Opens a session with a portal link, which works once. Billing makes a key for the session. */
@Injectable()
export class OpenPortal {
  constructor(
    private readonly limits: AttemptLimits,
    private readonly bus: CustomerBus,
    private readonly sessions: Sessions,
  ) {}

  async execute(request: FastifyRequest, reply: FastifyReply, token: string): Promise<Session> {
    this.limits.count(request.ip, `link ${sha256(token)}`);
    const customer = await refuseEvenly(() => this.redeem(token), REFUSED);
    return this.sessions.openForCustomer(request, reply, customer);
  }

  /** Null for a link that does not work. */
  private async redeem(token: string): Promise<NewCustomer | null> {
    try {
      const { expires_at, ...key } = await this.bus.request(portalRpc.redeemLink, { token_sha256: sha256(token) });
      return { ...key, is_portal: true, key_expires_at: new Date(expires_at) };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return null;
      throw error;
    }
  }
}
