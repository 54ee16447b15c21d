import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Bus, deadlineIn, runInCall } from '@kinora/bus';
import { API_KEY_PREFIX } from '@kinora/contracts/billing/api-key-format';
import { type Admission, type RateDecision, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AddressBuckets } from './address-buckets';
import { bearerKey } from './bearer-key';
import { BodyBudget } from './body-budget';
import { announcedBytes, assertHeadIsWelcome, assertOneHost } from './request-head';
import { noSuchEndpoint } from './known-routes';
import { whenOver } from './request-end';
import { policyOf } from './route-policy';

const INVALID_KEY = `The API key is missing or not valid. Send it in the header Authorization: Bearer ${API_KEY_PREFIX}…`;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null where no key is needed. */
    admission: Admission | null;
  }
}

/** The door: refuses all that a request's head can be refused for, before a byte of its body is read. */
@Injectable()
export class AdmissionHook {
  constructor(
    private readonly bus: Bus,
    private readonly addresses: AddressBuckets,
    private readonly bodies: BodyBudget,
  ) {}

  async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.raw.socket.writableEnded) {
      // Behind the last answer of a connection that still lingers; whoever sent this could never learn what became of it.
      reply.hijack();
      return;
    }
    reply.header('X-Request-Id', request.id);
    const policy = policyOf(request);
    if (policy.access === 'key') await this.admit(request, reply);
    if (policy.access === 'open') await this.count(request, reply);
    assertOneHost(request);
    if (request.is404) throw noSuchEndpoint(request);
    assertHeadIsWelcome(request, policy);
    // A signed link has not been judged yet, and no body of its requests is read.
    if (policy.access !== 'signed') this.holdRoom(announcedBytes(request.headers, policy), request);
  }

  private holdRoom(bytes: number, request: FastifyRequest): void {
    if (bytes > 0) whenOver(request, this.bodies.hold(bytes, request.admission?.account_id));
  }

  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    showRate(reply, this.addresses.peek(request.ip));
    const admission = await this.findAdmission(request, 1);
    if (admission === null) {
      // Only failures are counted here, so that one client's guesses cannot lock out a neighbour who has a key.
      this.spendAddressToken(request, reply);
      throw new ApiError('invalid_api_key', INVALID_KEY);
    }
    showRate(reply, admission.rate);
    assertAllowed(admission.rate, 'this API key');
    request.admission = admission;
  }

  /** What needs no key is limited by address; a valid key that was sent all the same has its bucket described. */
  private async count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.spendAddressToken(request, reply);
    const admission = await this.findAdmission(request, 0).catch(() => null);
    if (admission !== null) showRate(reply, admission.rate);
  }

  private spendAddressToken(request: FastifyRequest, reply: FastifyReply): void {
    const rate = this.addresses.take(request.ip);
    showRate(reply, rate);
    assertAllowed(rate, 'this client address, without a valid API key,');
  }

  /** Null for a key that is missing, malformed, unknown, revoked or expired: which of them, nobody is told. */
  private async findAdmission(request: FastifyRequest, tokens: 0 | 1): Promise<Admission | null> {
    const key = bearerKey(request.raw);
    if (key === null) return null;
    const keySha256 = hash('sha256', key);
    const call = { requestId: request.id, deadlineAtMs: deadlineIn(billingRpc.admit.timeoutMs) };
    try {
      return await runInCall(call, () => this.bus.request(billingRpc.admit, { key_sha256: keySha256, tokens }));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_api_key') return null;
      // Nobody can say whose key it is: 429 would tell a client that is far below its rate that it is not.
      throw isUnavailable(error) ? error : ApiError.unavailable('The check of API keys');
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'capacity';
}

function showRate(reply: FastifyReply, rate: RateDecision): void {
  reply.header('RateLimit-Limit', rate.limit).header('RateLimit-Remaining', rate.remaining);
}

/** Names the limit, so that a client knows what to pace itself by: every request counts, polls of a job too. */
function assertAllowed({ allowed, limit, retry_after_seconds = 1 }: RateDecision, who: string): void {
  if (allowed) return;
  const rule = `Too many requests: ${who} may make ${limit} a minute (RateLimit-Limit), polls included.`;
  throw new ApiError('rate_limited', `${rule} Retry in ${retry_after_seconds} s.`, { retry_after_seconds });
}
