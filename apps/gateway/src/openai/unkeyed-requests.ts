import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Bus, deadlineIn, runInCall, withTimeout } from '@kinora/bus';
import {
  type AnswerOutcome,
  type CloseUnkeyedRequest,
  unkeyedRequestsRpc,
} from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Clock, InjectLogger, type Logger } from '@kinora/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/parameters.decorator';
import { onRequestEnd } from '../http/request-end';
import { newRequestId } from '../http/call.hook';
import { type JobPost, toJobPost } from '../jobs/job-post';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the answer reports that a job has ended without images. A repeat then is a new request. */
    reportsFailedJob: boolean;
  }
}

/** For as long as jobs may take to restart. Without its outcome a request stays open, and an unmarked repeat makes a second job. */
const CLOSED_WITHIN_MS = 60_000;
const TRIED_EVERY_MS = 1_000;

/**
 * Lets clients repeat a request without an Idempotency-Key and pay once: each gets a key from jobs, and a repeat gets the key of the
 * request that it repeats. The job of a key is created once (jobs: idempotency keys).
 */
@Injectable()
export class UnkeyedRequests implements OnApplicationShutdown {
  /** By request hash: a request whose client left may be repeated before jobs has stored that. */
  private readonly abandoning = new Map<string, Promise<unknown>>();
  private readonly closing = new Set<Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly bus: Bus,
    private readonly clock: Clock,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * The post, with a key from jobs unless the client sends one.
   * @throws ApiError capacity also where the client has left: nothing may be created that its repeat does not join
   */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<JobPost> {
    const post = toJobPost(request);
    if (post.idempotencyKeys.length > 0) return post;
    const { bytes_sha256: body_sha256 } = post.body;
    if (body_sha256 === undefined)
      throw new Error(`The body of ${post.route} must be hashed, but has no bytes_sha256.`);
    const { account_id, api_key_id } = callerOf(request);
    const { route } = post;
    const request_hash = createHash('sha256').update([api_key_id, route, body_sha256].join(' ')).digest('hex');
    // The client of an equal request may have left a moment ago, and this be its repeat.
    const abandoning = this.abandoning.get(request_hash);
    if (abandoning)
      await withTimeout(abandoning, this.clock.deadline(unkeyedRequestsRpc.close.timeoutMs), () => undefined);
    assertIsConnected(reply);
    const is_marked = isMarkedRepeat(request);
    const opened = await this.bus.request(unkeyedRequestsRpc.open, { account_id, request_hash, is_marked });
    const { idempotency_key: key, ...sending } = opened;
    onRequestEnd(request, () => this.close(request_hash, { ...sending, outcome: outcomeOf(reply) }));
    assertIsConnected(reply);
    return { ...post, idempotency: { key, route, body_sha256 } };
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.closing);
  }

  private close(requestHash: string, closing: CloseUnkeyedRequest): void {
    const stored = this.store(closing).finally(() => this.closing.delete(stored));
    this.closing.add(stored);
    if (closing.outcome !== 'abandoned') return;
    const all = Promise.all([this.abandoning.get(requestHash), stored]).finally(() => {
      if (this.abandoning.get(requestHash) === all) this.abandoning.delete(requestHash);
    });
    this.abandoning.set(requestHash, all);
  }

  private async store(closing: CloseUnkeyedRequest): Promise<void> {
    const givingUpAt = this.clock.nowMs() + CLOSED_WITHIN_MS;
    for (;;) {
      try {
        const call = { requestId: newRequestId(), deadlineAtMs: deadlineIn(unkeyedRequestsRpc.close.timeoutMs) };
        await runInCall(call, () => this.bus.request(unkeyedRequestsRpc.close, closing));
        return;
      } catch (error) {
        this.logger.warn({ reason: String(error) }, 'request_not_closed');
        if (this.isStopping || this.clock.nowMs() > givingUpAt) return;
        await this.clock.sleep(TRIED_EVERY_MS);
      }
    }
  }
}

function outcomeOf({ raw, request, statusCode }: FastifyReply): AnswerOutcome {
  if (!raw.writableFinished) return 'abandoned';
  if (request.reportsFailedJob) return 'failed';
  // The client repeats the request after these, and its job may run on.
  return statusCode === 429 || statusCode >= 500 ? 'abandoned' : 'answered';
}

function assertIsConnected({ raw }: FastifyReply): void {
  if (raw.destroyed || raw.socket?.destroyed) throw ApiError.unavailable('The client');
}

/** The clients of OpenAI count their repeats. */
function isMarkedRepeat({ headers }: FastifyRequest): boolean {
  return Number(headers['x-stainless-retry-count'] ?? 0) > 0;
}
