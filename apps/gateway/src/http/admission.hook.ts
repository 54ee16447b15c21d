import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpStatus, Injectable } from '@nestjs/common';
import { includesScope, isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';
import type { Admission, RateDecision } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { assertOneHost } from '@kinora/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup } from '../../../../libs/service-kit/src/http/connection-limit';
import { CallbackAddresses } from './callback-addresses';
import { AddressBuckets } from './address-buckets';
import { ApiKeys, invalidApiKey } from './api-keys';
import { BodyBudget, type BodyRoom } from './body-budget';
import { preflightHeaders } from './cors';
import { noSuchEndpoint } from './known-routes';
import { assertHeadIsWelcome, declaredBytes, hasBody } from './request-head';
import { onRequestEnd } from './request-end';
import { type RoutePolicyOptions, policyOf, requiredScope } from './route-policy';

/** Redirect target for a browser that requests `/`, relative to `/`. */
const DOCS_LOCATION = './docs';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; null where the route needs no key. */
    admission: Admission | null;
    /** The hash of the key of the caller; null where there is none. */
    keySha256: string | null;
    /** The room in the body budget that the body is charged to; null where there is no body. */
    bodyRoom: BodyRoom | null;
  }
}

/** Refuses a request for everything that its head alone shows, before any byte of its body is read. */
@Injectable()
export class AdmissionHook {
  constructor(
    private readonly keys: ApiKeys,
    private readonly addresses: AddressBuckets,
    private readonly callbacks: CallbackAddresses,
    private readonly bodies: BodyBudget,
  ) {}

  async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.raw.socket.writableEnded) {
      // This request came after the last response of a lingering connection, so its client could never read an answer.
      reply.hijack();
      return;
    }
    reply.header('X-Request-Id', request.id);
    const policy = policyOf(request);
    if (policy.access === 'key') assertScope(request.method, policy, await this.admit(request, reply));
    if (policy.access === 'open') await this.count(request, reply);
    assertOneHost(request.raw);
    if (request.is404) return this.answerUnknown(request, reply);
    if (policy.access === 'callback') request.callbackTarget = this.callbacks.read(request);
    assertHeadIsWelcome(request, policy);
    if (hasBody(request.headers)) this.openRoom(request);
  }

  private answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const preflight = preflightHeaders(request);
    if (preflight) return void reply.status(HttpStatus.NO_CONTENT).headers(preflight).send();
    if (!isBrowserVisit(request)) throw noSuchEndpoint(request);
    reply.header('Vary', 'Accept').redirect(DOCS_LOCATION);
  }

  private openRoom(request: FastifyRequest): void {
    const { admission, callbackTarget: target, headers } = request;
    const address = addressGroup(request.ip);
    const unsigned = policyOf(request).access === 'event' ? { permission: address } : { address };
    const stranger = target ? { permission: `${target.jobId}-${target.attemptNumber}` } : unsigned;
    const sender = admission ? { accountId: admission.account_id } : stranger;
    const room = this.bodies.open(sender, declaredBytes(headers));
    request.bodyRoom = room;
    onRequestEnd(request, () => room.release());
  }

  /**
   * A key that was not recently valid on this gateway spends an address token before billing checks it, and gets it back
   * if it is valid. So an address that has emptied its bucket by guessing causes no more calls to billing, and recently
   * valid keys from the same address are still admitted.
   */
  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<Admission> {
    const keySha256 = keyHashOf(request);
    const isKnown = keySha256 !== null && this.keys.wasValid(keySha256);
    if (!isKnown) this.spendAddressToken(request, reply);
    const admission = keySha256 === null ? null : await this.findAdmission(keySha256, request, reply, isKnown);
    if (admission === null) {
      if (isKnown) this.spendAddressToken(request, reply);
      reply.header('Connection', 'close');
      throw invalidApiKey();
    }
    showRate(reply, admission.rate);
    // Also a request that the limit refuses is one of this account, in the logs.
    request.admission = admission;
    request.keySha256 = keySha256;
    assertAllowed(admission.rate, 'this API key');
    return admission;
  }

  /** An invalid key spends a token of its address. A valid key, and a key that billing could not check, does not. */
  private async findAdmission(
    keySha256: string,
    request: FastifyRequest,
    reply: FastifyReply,
    isKnown: boolean,
  ): Promise<Admission | null> {
    let isGuess = false;
    try {
      const admission = await this.keys.find(keySha256, { requestId: request.id, tokens: 1 });
      isGuess = admission === null;
      return admission;
    } finally {
      if (!isKnown && !isGuess) this.addresses.giveBack(request.ip);
      showRate(reply, this.addresses.peek(request.ip));
    }
  }

  /**
   * Limits a route without a key by client address. If a valid key is sent, the response headers describe the key's
   * bucket.
   */
  private async count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.spendAddressToken(request, reply);
    const keySha256 = keyHashOf(request);
    if (keySha256 === null) return;
    const admission = await this.keys.find(keySha256, { requestId: request.id, tokens: 0 }).catch(() => null);
    if (admission !== null) showRate(reply, admission.rate);
  }

  /**
   * @throws ApiError rate_limited. Its response closes the connection, because a caller without a valid key may not keep
   * one open.
   */
  private spendAddressToken(request: FastifyRequest, reply: FastifyReply): void {
    const rate = this.addresses.take(request.ip);
    showRate(reply, rate);
    if (!rate.allowed) reply.header('Connection', 'close');
    assertAllowed(rate, 'this client address, without a valid API key,');
  }
}

/** The hash by which billing looks up the key; null if no well-formed key was sent. */
function keyHashOf(request: FastifyRequest): string | null {
  const key = policyOf(request).takesApiKeyHeader ? keyOfEitherHeader(request.raw) : bearerKey(request.raw);
  return key === null ? null : hash('sha256', key);
}

/** The key of `api-key` or of Authorization. Clients that send both must send the same key. */
function keyOfEitherHeader(request: IncomingMessage): string | null {
  const values = request.headersDistinct['api-key'];
  if (values === undefined) return bearerKey(request);
  const [key = ''] = values;
  if (values.length > 1 || !isWellFormedApiKey(key)) return null;
  return request.headersDistinct.authorization === undefined || bearerKey(request) === key ? key : null;
}

/** The key of the Authorization header if there is exactly one and it is well-formed; null otherwise. */
function bearerKey(request: IncomingMessage): string | null {
  // `request.headers` keeps only the first of several Authorization headers.
  const values = request.headersDistinct.authorization;
  if (values?.length !== 1) return null;
  const [, key] = /^bearer +(\S+)$/i.exec(values[0] ?? '') ?? [];
  return key !== undefined && isWellFormedApiKey(key) ? key : null;
}

function showRate(reply: FastifyReply, rate: RateDecision): void {
  reply.header('RateLimit-Limit', rate.limit).header('RateLimit-Remaining', rate.remaining);
}

/** The message names the limit, so that the client can adapt its rate. Every request counts, job polls too. */
function assertAllowed({ allowed, limit, retry_after_seconds = 1 }: RateDecision, who: string): void {
  if (allowed) return;
  const rule = `Too many requests: ${who} may make ${limit} a minute (RateLimit-Limit), polls included.`;
  throw new ApiError('rate_limited', `${rule} Retry in ${retry_after_seconds} s.`, { retry_after_seconds });
}

/** @throws ApiError scope_required */
function assertScope(method: string, policy: RoutePolicyOptions, { scope }: Admission): void {
  const required = requiredScope(method, policy);
  if (includesScope(scope, required)) return;
  const problem = `This operation needs an API key of the scope ${required}; this key has the scope ${scope}.`;
  throw new ApiError('scope_required', `${problem} Use another key of the account.`);
}

/** Whether a browser requests `/`. Programs get the usual 404 there. */
function isBrowserVisit({ method, originalUrl, headers }: FastifyRequest): boolean {
  return method === 'GET' && originalUrl.split('?', 1)[0] === '/' && /\btext\/html\b/i.test(headers.accept ?? '');
}
