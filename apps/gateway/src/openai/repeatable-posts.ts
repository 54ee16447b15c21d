import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { unansweredRequestsRpc } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { Readiness } from '@kinora/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/caller.decorator';
import { onRequestEnd } from '../http/request-end';
import { policyOf } from '../http/route-policy';
import { type JobPost, toJobPost } from '../jobs/job-post';
import { closeAfterClient, onAnswerReset } from './answer-reset';
import { AnswerReports } from './answer-reports';
import { leavesUnanswered } from './leaves-unanswered';
import { RefusedPosts } from './refused-posts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether `RepeatablePosts.open` has begun, so that jobs knows the request. */
    isOpenedPost: boolean;
  }
}

/**
 * Lets clients repeat a request without an Idempotency-Key and pay once: each gets a key from jobs, and a repeat of a request whose
 * client got no answer gets the same key. The job of a key is then created once (jobs: idempotency keys).
 */
@Injectable()
export class RepeatablePosts {
  private readonly refused = new RefusedPosts();
  /** The connection keeps it, so it must not hold a request with its body. */
  private readonly isStopping = (): boolean => this.readiness.isStopping;

  constructor(
    private readonly bus: Bus,
    private readonly reports: AnswerReports,
    private readonly readiness: Readiness,
  ) {}

  /** The post, with a key from jobs unless the client sends one. */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<JobPost> {
    const post = toJobPost(request);
    if (post.idempotencyKeys.length > 0) return post;
    const { bytes_sha256: body_sha256 } = post.body;
    if (body_sha256 === undefined)
      throw new Error(`The body of ${post.route} must be hashed, but has no bytes_sha256.`);
    const { route } = post;
    request.isOpenedPost = true;
    const isRepeat = isMarkedRetry(request) && !this.refused.take(request);
    const token = randomUUID();
    let isGone = false;
    // Registered before the request is opened: a client that leaves while jobs opens it is reported too.
    onRequestEnd(request, () => {
      isGone = !reply.raw.writableFinished;
      const isAnswered = !isGone && !leavesUnanswered(reply);
      this.reports.end(token, isAnswered);
      if (isAnswered) this.takeBackOnReset(request.raw.socket, token);
    });
    closeAfterClient(request.raw.socket, this.isStopping);
    await this.reports.hold(token);
    const { idempotency_key: key } = await this.bus.request(unansweredRequestsRpc.open, {
      api_key_id: callerOf(request).api_key_id,
      ...{ route, body_sha256, token, holder_id: this.reports.holderId },
      // A client that is gone already may have repeated the request elsewhere.
      is_retry: isGone || isRepeat,
      joins_answered: isRepeat,
    });
    // The report of a client that left meanwhile may have come before its request was stored.
    if (isGone) this.reports.end(token, false);
    return { ...post, idempotency: { key, route, body_sha256 } };
  }

  /** Called at the end of each answer: a first sending that was refused before it was opened will come again, marked. */
  noteAnswer(request: FastifyRequest, reply: FastifyReply): void {
    if (request.isOpenedPost || !isRepeatable(request) || isMarkedRetry(request)) return;
    const hasKey = request.headers['idempotency-key'] !== undefined;
    if (!hasKey && leavesUnanswered(reply)) this.refused.add(request);
  }

  /** A method of its own: what the connection keeps must not hold the request with its body. */
  private takeBackOnReset(socket: Socket, token: string): void {
    onAnswerReset(socket, () => this.reports.end(token, false));
  }
}

/** Whether the route opens its requests here, once it has read them. */
function isRepeatable(request: FastifyRequest): boolean {
  const { hashesBytes, takesJson, takesMultipart } = policyOf(request);
  return hashesBytes && (takesJson || takesMultipart);
}

/** The clients of OpenAI count their repeats. */
function isMarkedRetry({ headers }: FastifyRequest): boolean {
  return Number(headers['x-stainless-retry-count'] ?? 0) > 0;
}
