import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_USER_AGENT, type EndedRequest, requestLogSignals } from '@kinora/contracts/console/request-log.events';
import { Bus } from '@kinora/bus';
import { loggedRequests } from '../http/http.metrics';
import { addressedJobId } from '../http/observation.hook';
import { onRequestEnd } from '../http/request-end';
import { declaredBytes } from '../http/request-head';

const EVERY_MS = 1_000;
/** About 60 KB of JSON. */
const BATCH = 250;
/** What may wait for the next signal: half a megabyte. */
const WAITING_MAX = 2_000;
/** One account cannot take the room of all others. */
const WAITING_MAX_OF_ACCOUNT = 500;
/** The rate limit bounds all other requests of an account. A client that ignores it would otherwise fill the table of the console. */
const REFUSED_MAX_OF_ACCOUNT = 5;
/** In `/v1`, and as OpenAI's clients know it. */
const REFUSED_CODES: readonly (string | null)[] = ['rate_limited', 'rate_limit_exceeded'];

/**
 * Publishes which requests have ended, in batches, for the request log of the console. It is lossy: requests beyond the bounds
 * are dropped and counted, and no request waits for it. One batch at a time is on its way to the broker, so a slow broker costs
 * no memory either.
 */
@Injectable()
export class RequestLog implements OnModuleDestroy {
  private waiting: EndedRequest[] = [];
  private readonly byAccount = new Map<string, number>();
  private readonly refusedByAccount = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private publishing: Promise<void> | null = null;

  constructor(private readonly bus: Bus) {}

  add(request: EndedRequest): void {
    const ofAccount = this.byAccount.get(request.account_id) ?? 0;
    if (this.waiting.length >= WAITING_MAX || ofAccount >= WAITING_MAX_OF_ACCOUNT) return loggedRequests.inc(DROPPED);
    const isRefused = REFUSED_CODES.includes(request.code);
    if (isRefused && this.countRefused(request) > REFUSED_MAX_OF_ACCOUNT) return loggedRequests.inc(DROPPED);
    this.byAccount.set(request.account_id, ofAccount + 1);
    this.waiting.push(request);
    this.timer ??= setTimeout(() => this.publish(), EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    await this.publishing;
    this.publish();
    await this.publishing;
  }

  /** How many requests of the account the rate limit has refused since the last batch, with this one. */
  private countRefused({ account_id }: EndedRequest): number {
    const refused = (this.refusedByAccount.get(account_id) ?? 0) + 1;
    this.refusedByAccount.set(account_id, refused);
    return refused;
  }

  private publish(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.publishing ??= this.publishAll().finally(() => (this.publishing = null));
  }

  private async publishAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const requests = this.waiting.splice(0, BATCH);
      if (this.waiting.length === 0) {
        this.byAccount.clear();
        this.refusedByAccount.clear();
      }
      const outcome = await this.send(requests);
      loggedRequests.inc(outcome, requests.length);
    }
  }

  private async send(requests: EndedRequest[]): Promise<{ outcome: 'published' | 'dropped' }> {
    if (!this.bus.isConnected()) return DROPPED;
    this.bus.signal(requestLogSignals.ended, { requests });
    // The signal leaves at the end of this turn of the event loop; the round trip follows it on the same connection.
    await new Promise(setImmediate);
    return await this.bus.pingBroker().then(
      () => PUBLISHED,
      () => DROPPED,
    );
  }
}

const PUBLISHED = { outcome: 'published' } as const;
const DROPPED = { outcome: 'dropped' } as const;

/** Records every request with a valid key. A caller without one could otherwise fill the log of all accounts. */
export function recordRequests(server: FastifyInstance, log: RequestLog): void {
  server.addHook('onRequest', (request, reply, done) => {
    const beganAt = Date.now();
    onRequestEnd(request, () => {
      const ended = toEndedRequest(request, reply, beganAt);
      if (ended) log.add(ended);
    });
    done();
  });
}

/** A message may quote a long value of the client. */
const MESSAGE_MAX_CHARS = 300;

interface ErrorBody {
  error?: { message?: string; param?: string | null };
}

/** What the client was told, in either form of an error. */
function describeError(body: ErrorBody | null): Pick<EndedRequest, 'message' | 'param'> {
  const { message, param } = body?.error ?? {};
  return { ...(message && { message: message.slice(0, MESSAGE_MAX_CHARS) }), ...(param && { param }) };
}

function toEndedRequest(request: FastifyRequest, reply: FastifyReply, beganAt: number): EndedRequest | null {
  if (request.admission === null) return null;
  const { account_id, api_key_id } = request.admission;
  const bytes = declaredBytes(request.headers);
  return {
    id: request.id,
    account_id,
    api_key_id,
    at: new Date(beganAt).toISOString(),
    method: request.method,
    // Never the URL: clients put API keys into paths and queries.
    route: request.is404 ? null : (request.routeOptions.url ?? null),
    status: reply.raw.headersSent ? reply.statusCode : null,
    code: request.errorCode,
    ...describeError(request.errorBody),
    ...(bytes && { bytes }),
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    job_id: request.createdJobId ?? addressedJobId(request) ?? null,
    ...(request.headers['user-agent'] === CONSOLE_USER_AGENT && { from_console: true }),
  };
}
