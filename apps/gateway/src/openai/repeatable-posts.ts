import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { unansweredRequestsRpc } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { Readiness } from '@kinora/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/caller.decorator';
import { closeAfterClient } from '../http/lingering-close';
import { onRequestEnd } from '../http/request-end';
import { policyOf } from '../http/route-policy';
import { type JobPost, toJobPost } from '../jobs/job-post';
import { RESET_WATCHED_MS, onAnswerReset } from './answer-reset';
import { type AnswerOutcome, AnswerReports } from './answer-reports';
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
    const isRepeat = isMarkedRetry(request) && !this.refused.take(senderOf(request));
    const token = randomUUID();
    let isGone = false;
    // Registered before the request is opened: a client that leaves while jobs opens it is reported too.
    onRequestEnd(request, () => {
      isGone = !reply.raw.writableFinished;
      const outcome = isGone ? 'unanswered' : outcomeOf(reply);
      this.reports.end(token, outcome);
      // Bound, because the connection keeps it: a closure of here would keep the request with its body, too.
      if (outcome === 'answered')
        onAnswerReset(request.raw.socket, this.reports.end.bind(this.reports, token, 'unanswered'));
    });
    // A connection that closes after its answer would otherwise be gone before a reset could be seen.
    closeAfterClient(request.raw.socket, RESET_WATCHED_MS, this.readiness);
    await this.reports.hold(token);
    const { idempotency_key: key } = await this.bus.request(unansweredRequestsRpc.open, {
      api_key_id: callerOf(request).api_key_id,
      ...{ route, body_sha256, token, holder_id: this.reports.holderId },
      // A client that is gone already may have repeated the request elsewhere.
      is_retry: isGone || isRepeat,
      joins_answered: isRepeat,
    });
    // The report of a client that left meanwhile may have come before its request was stored.
    if (isGone) this.reports.end(token, 'unanswered');
    return { ...post, idempotency: { key, route, body_sha256 } };
  }

  /** Called at the end of each answer: a first sending that was refused before it was opened will come again, marked. */
  noteAnswer(request: FastifyRequest, reply: FastifyReply): void {
    // Without a valid key nothing is counted: any caller could otherwise push out what is counted for others.
    if (request.admission === null || request.isOpenedPost || !isRepeatable(request) || isMarkedRetry(request)) return;
    const hasKey = request.headers['idempotency-key'] !== undefined;
    if (!hasKey && leavesUnanswered(reply)) this.refused.add(senderOf(request));
  }
}

function outcomeOf(reply: FastifyReply): AnswerOutcome {
  if (leavesUnanswered(reply)) return 'unanswered';
  return reply.request.reportsFailedJob ? 'failed' : 'answered';
}

function senderOf(request: FastifyRequest): string {
  return `${callerOf(request).api_key_id} ${request.routeOptions.url}`;
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
