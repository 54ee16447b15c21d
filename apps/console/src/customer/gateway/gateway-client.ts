import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONSOLE_USER_AGENT } from '@kinora/contracts/console/request-log.events';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Clock, FairSemaphore, SemaphoreTimeout } from '@kinora/service-kit';
import { ConsoleConfig } from '../../console.config';
import { cutOnAbort, readAll } from '../../http/file-client';
import type { Session } from '../../session/sessions';

/** The largest count of all sessions, of those of one account, and of one session. */
export interface PermitCounts {
  all: number;
  ofAccount: number;
  ofSession: number;
}

export type Requester = Pick<Session, 'id' | 'account_id'>;

/** Bounds how many requests are under way at the gateway, so that no customer takes the places of the others. */
class GatewayPermits {
  private readonly bySession: FairSemaphore;
  private readonly byAccount: FairSemaphore;

  /** @param waitMs how long a request waits for its permit */
  constructor(
    { all, ofAccount, ofSession }: PermitCounts,
    private readonly waitMs: number,
    private readonly clock: Clock,
    private readonly refusal: () => ApiError,
  ) {
    this.bySession = new FairSemaphore(Infinity, ofSession);
    this.byAccount = new FairSemaphore(all, ofAccount);
  }

  /**
   * @param requester null for a request without a session
   * @returns gives the permit back
   * @throws ApiError the refusal, if the permit is not granted in time
   */
  take(requester: Requester | null): Promise<() => void> {
    const deadline = this.clock.deadline(this.waitMs);
    const account = requester?.account_id ?? undefined;
    return new Promise((resolve, reject) => {
      const hold = (): Promise<void> => new Promise((release) => resolve(release));
      this.bySession
        .run(requester?.id.toString('hex'), () => this.byAccount.run(account, hold, { deadline }), { deadline })
        .catch((error: unknown) => reject(error instanceof SemaphoreTimeout ? this.refusal() : (error as Error)));
    });
  }
}

/** Longer than the gateway takes for any answer that is no stream: it waits 60 s at most for the end of a job. */
const HEAD_TIMEOUT_MS = 75_000;
/** An answer is read at once, and takes long only where the client asks the gateway to wait. */
const REQUESTS: PermitCounts = { all: 256, ofAccount: 32, ofSession: 16 };
/** A request beyond waits so long; its page then learns that it must retry. */
const REQUEST_WAIT_MS = 5_000;
/** A page has four at most. */
const STREAMS: PermitCounts = { all: 1_024, ofAccount: 64, ofSession: 16 };
/** The streams of a page that is left end a moment after the next page has opened its own. */
const STREAM_WAIT_MS = 1_000;
/** The gateway closes idle connections after 65 s. */
const IDLE_MS = 30_000;

export interface GatewayRequest {
  method: string;
  /** With /v1 and the query. */
  path: string;
  /** Null for an operation that needs none. */
  apiKey: string | null;
  /** Null for a request without a session. */
  session: Requester | null;
  /** Whether the answer may be a stream of events, which stays open. */
  isStream?: boolean;
  headers?: Record<string, string>;
  body?: Readable | string;
  /** Aborts the request, also while its response is streamed. */
  signal?: AbortSignal;
}

type Head = Pick<GatewayRequest, 'method' | 'path' | 'apiKey' | 'headers'>;

/** The public API of the gateway, with the API key of a session. */
@Injectable()
export class GatewayClient implements OnApplicationShutdown {
  private readonly base: URL;
  private readonly agent: HttpAgent;
  private readonly requests: GatewayPermits;
  private readonly streams: GatewayPermits;

  constructor({ gatewayUrl }: ConsoleConfig, clock: Clock) {
    this.requests = new GatewayPermits(REQUESTS, REQUEST_WAIT_MS, clock, () =>
      ApiError.unavailable('Room for another request'),
    );
    this.streams = new GatewayPermits(STREAMS, STREAM_WAIT_MS, clock, tooManyStreams);
    this.base = new URL(gatewayUrl);
    // No request waits for a socket: the permits bound their number.
    const options = { keepAlive: true, timeout: IDLE_MS };
    this.agent = this.base.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  onApplicationShutdown(): void {
    this.agent.destroy();
  }

  /**
   * Resolves with the head of the response, whatever its status.
   * @throws ApiError capacity if the gateway is away, and capacity or concurrency_limit without a permit
   */
  async open({ body, signal, session, isStream = false, ...request }: GatewayRequest): Promise<IncomingMessage> {
    const release = await (isStream ? this.streams : this.requests).take(session);
    const outgoing = this.start(request, release);
    if (signal) cutOnAbort(outgoing, signal);
    // A gateway that answers before it has the whole body closes the connection, which fails the rest of the body.
    outgoing.on('error', () => undefined);
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
      outgoing.setTimeout(HEAD_TIMEOUT_MS, () => outgoing.destroy(new Error('the gateway did not answer in time')));
    });
    if (body === undefined || typeof body === 'string') outgoing.end(body);
    else {
      body.once('error', (error) => outgoing.destroy(error));
      body.pipe(outgoing);
    }
    try {
      const head = await response;
      // A reader gets the error, too. An error after the end has no reader, and would end the process.
      head.on('error', () => undefined);
      // Streams of events are silent for 15 s at most; the deadline was for the head.
      outgoing.setTimeout(0);
      return head;
    } catch {
      throw ApiError.unavailable('The API');
    }
  }

  /** A response with a JSON body. @throws ApiError capacity */
  async readJson(request: GatewayRequest): Promise<{ status: number; body: unknown }> {
    const response = await this.open(request);
    try {
      const text = (await readAll(response, Infinity)).toString('utf8');
      return { status: response.statusCode ?? 0, body: JSON.parse(text) as unknown };
    } catch {
      throw ApiError.unavailable('The API');
    }
  }

  /** @param onClose called when the request is over, also where it cannot begin */
  private start({ method, path, apiKey, headers }: Head, onClose: () => void): ClientRequest {
    const send = this.base.protocol === 'https:' ? httpsRequest : httpRequest;
    const prefix = this.base.pathname.replace(/\/$/, '');
    const options = {
      protocol: this.base.protocol,
      hostname: this.base.hostname,
      port: this.base.port,
      path: prefix + path,
      method,
      agent: this.agent,
      headers: {
        ...headers,
        'User-Agent': CONSOLE_USER_AGENT,
        ...(apiKey !== null && { Authorization: `Bearer ${apiKey}` }),
      },
    };
    try {
      return send(options).once('close', onClose);
    } catch (error) {
      onClose();
      throw error;
    }
  }
}

function tooManyStreams(): ApiError {
  const message = `Too many open event streams: a session may have ${STREAMS.ofSession}, an account ${STREAMS.ofAccount}. Close one first.`;
  return new ApiError('concurrency_limit', message, { retry_after_seconds: 5 });
}

/** The API key with which a session's requests go to the gateway. */
export function credentialOf({ credential }: Session): string {
  if (credential === null) throw new Error('The session has no API key: it is not one of a customer.');
  return credential;
}
