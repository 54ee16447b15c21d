import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';
import { portalRpc } from '@kinora/contracts/billing/portal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { AttemptLimits } from '../session/attempt-limits';
import { type NewCustomer, type Session, Sessions } from '../session/sessions';
import { CustomerBus } from './customer-connection';
import { GatewayClient } from './gateway/gateway-client';
import { KeyRights, sha256 } from './key-rights';

const REFUSED = 'The API key is not valid.';
const RETRY_SECONDS = 5;

/** Opens a session with an API key. The gateway checks the key, as for any client. */
@Injectable()
export class SignIn {
  constructor(
    private readonly limits: AttemptLimits,
    private readonly gateway: GatewayClient,
    private readonly rights: KeyRights,
    private readonly sessions: Sessions,
  ) {}

  async execute(request: FastifyRequest, reply: FastifyReply, apiKey: string): Promise<Session> {
    // By the whole key: by its prefix, which pages show, a stranger could use up the sign-ins of its owner.
    this.limits.count(request.ip, `key ${sha256(apiKey)}`);
    const customer = await this.limits.refuseEvenly(() => this.check(apiKey), REFUSED);
    return this.sessions.openForCustomer(request, reply, customer);
  }

  /** Null for a key that does not work. */
  private async check(apiKey: string): Promise<NewCustomer | null> {
    const key = isWellFormedApiKey(apiKey) ? await this.rights.find(apiKey) : null;
    // After the cheaper check: wrong keys would use up the requests that the gateway allows this process.
    if (!key || !(await this.isAdmitted(apiKey))) return null;
    const { expires_at, ...rights } = key;
    const key_expires_at = expires_at === null ? null : new Date(expires_at);
    return { api_key: apiKey, ...rights, is_portal: false, member: null, key_expires_at };
  }

  private async isAdmitted(apiKey: string): Promise<boolean> {
    const { status } = await this.gateway.readJson({ method: 'GET', path: '/v1/account', apiKey, session: null });
    if (status === 429) {
      const message = `This API key has made too many requests. Retry in ${RETRY_SECONDS} s.`;
      throw new ApiError('rate_limited', message, { retry_after_seconds: RETRY_SECONDS });
    }
    if (status !== 200 && status !== 401) throw ApiError.unavailable('The check of API keys');
    return status === 200;
  }
}

const PORTAL_REFUSED = 'The link is not valid: it was used before, or has expired. Ask for a new one.';

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
    const customer = await this.limits.refuseEvenly(() => this.redeem(token), PORTAL_REFUSED);
    return this.sessions.openForCustomer(request, reply, customer);
  }

  /** Null for a link that does not work. */
  private async redeem(token: string): Promise<NewCustomer | null> {
    try {
      const { expires_at, ...key } = await this.bus.request(portalRpc.redeemLink, { token_sha256: sha256(token) });
      return { ...key, is_portal: true, member: null, key_expires_at: new Date(expires_at) };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return null;
      throw error;
    }
  }
}
