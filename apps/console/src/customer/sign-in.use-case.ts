import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';
import { portalRpc } from '@kinora/contracts/billing/portal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AttemptLimits } from '../session/attempt-limits';
import { refuseEvenly } from '../session/even-refusal';
import { type NewCustomer, type Session, Sessions } from '../session/sessions';
import { CustomerBus } from './customer-bus';
import { GatewayClient } from './gateway-client';

const REFUSED = 'The API key is not valid.';
/** Names a key in the limits of sign-ins. */
const PREFIX_CHARS = 12;

/** Opens a session with an API key. The gateway checks the key, as for any client. */
@Injectable()
export class SignIn {
  constructor(
    private readonly limits: AttemptLimits,
    private readonly gateway: GatewayClient,
    private readonly bus: CustomerBus,
    private readonly sessions: Sessions,
  ) {}

  async execute(request: FastifyRequest, reply: FastifyReply, apiKey: string): Promise<Session> {
    this.limits.count(request.ip, `key ${apiKey.slice(0, PREFIX_CHARS)}`);
    const customer = await refuseEvenly(() => this.check(apiKey), REFUSED);
    return this.sessions.openForCustomer(request, reply, customer);
  }

  /** Null for a key that does not work. */
  private async check(apiKey: string): Promise<NewCustomer | null> {
    if (!isWellFormedApiKey(apiKey)) return null;
    const { status } = await this.gateway.readJson({ method: 'GET', path: '/v1/account', apiKey });
    if (status === 401) return null;
    if (status !== 200) throw ApiError.unavailable('The check of API keys');
    const key_sha256 = createHash('sha256').update(apiKey).digest('hex');
    const { expires_at, ...key } = await this.bus.request(portalRpc.describeKey, { key_sha256 });
    return {
      api_key: apiKey,
      ...key,
      is_portal: false,
      key_expires_at: expires_at === null ? null : new Date(expires_at),
    };
  }
}
