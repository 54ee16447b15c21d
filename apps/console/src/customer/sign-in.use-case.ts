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
import { GatewayClient } from './gateway/gateway-client';

const REFUSED = 'The API key is not valid.';

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
    // By the whole key: by its prefix, which pages show, a stranger could use up the sign-ins of its owner.
    this.limits.count(request.ip, `key ${sha256(apiKey)}`);
    const customer = await refuseEvenly(() => this.check(apiKey), REFUSED);
    return this.sessions.openForCustomer(request, reply, customer);
  }

  /** Null for a key that does not work. */
  private async check(apiKey: string): Promise<NewCustomer | null> {
    if (!isWellFormedApiKey(apiKey)) return null;
    const key = await this.describe(apiKey);
    // After the cheaper check: wrong keys would spend the requests that the gateway allows this address.
    const { status } = key
      ? await this.gateway.readJson({ method: 'GET', path: '/v1/account', apiKey })
      : { status: 401 };
    if (!key || status === 401) return null;
    if (status === 429)
      throw new ApiError('rate_limited', 'This API key has made too many requests. Retry in 5 s.', {
        retry_after_seconds: 5,
      });
    if (status !== 200) throw ApiError.unavailable('The check of API keys');
    return key;
  }

  private async describe(apiKey: string): Promise<NewCustomer | null> {
    const key_sha256 = sha256(apiKey);
    try {
      const { expires_at, ...key } = await this.bus.request(portalRpc.describeKey, { key_sha256 });
      const key_expires_at = expires_at === null ? null : new Date(expires_at);
      return { api_key: apiKey, ...key, is_portal: false, key_expires_at };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_api_key') return null;
      throw error;
    }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
