import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONSOLE_USER_AGENT } from '@kinora/contracts/console/request-log.events';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ConsoleConfig } from '../../console.config';
import { cutOnAbort } from '../../http/cut-on-abort';

/** Longer than the gateway takes for any answer that is no stream: it waits 60 s at most for the end of a job. */
const HEAD_TIMEOUT_MS = 75_000;
const SOCKETS_MAX = 256;
/** The gateway closes idle connections after 65 s. */
const IDLE_MS = 30_000;

export interface GatewayRequest {
  method: string;
  /** With /v1 and the query. */
  path: string;
  apiKey: string;
  headers?: Record<string, string>;
  body?: Readable | string;
  /** Aborts the request, also while its response is streamed. */
  signal?: AbortSignal;
}

/** The public API of the gateway, with the API key of a session. */
@Injectable()
export class GatewayClient implements OnApplicationShutdown {
  private readonly base: URL;
  private readonly agent: HttpAgent;

  constructor({ gatewayUrl }: ConsoleConfig) {
    this.base = new URL(gatewayUrl);
    const options = { keepAlive: true, maxSockets: SOCKETS_MAX, timeout: IDLE_MS };
    this.agent = this.base.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  onApplicationShutdown(): void {
    this.agent.destroy();
  }

  /** Resolves with the head of the response, whatever its status. @throws ApiError capacity if the gateway is away */
  async open({ body, signal, ...request }: GatewayRequest): Promise<IncomingMessage> {
    const outgoing = this.start(request);
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
    const pieces: Buffer[] = [];
    try {
      for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece);
      return { status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown };
    } catch {
      throw ApiError.unavailable('The API');
    }
  }

  private start({ method, path, apiKey, headers }: Omit<GatewayRequest, 'body' | 'signal'>): ClientRequest {
    const send = this.base.protocol === 'https:' ? httpsRequest : httpRequest;
    const prefix = this.base.pathname.replace(/\/$/, '');
    return send({
      protocol: this.base.protocol,
      hostname: this.base.hostname,
      port: this.base.port,
      path: prefix + path,
      method,
      agent: this.agent,
      headers: { ...headers, 'User-Agent': CONSOLE_USER_AGENT, Authorization: `Bearer ${apiKey}` },
    });
  }
}
