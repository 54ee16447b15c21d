import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ConsoleError, notFound } from '../../http/console-error';
import { readAll } from '../../http/file-client';
import { sessionOf } from '../../session/session.hook';
import { type Session, Sessions } from '../../session/sessions';
import { type JobFiles, KnownFiles, takeLinks } from '../files/known-files';
import { credentialOf, GatewayClient } from '../gateway/gateway-client';
import { OpenAnswers } from '../gateway/open-answers';
import { findForwardedRoute, FORWARDED_PREFIX } from './forwarded-routes';

/** The largest event holds one job. */
const EVENT_MAX_CHARS = 4 * 1024 * 1024;
const DATA = 'data: ';

/** Replaces the signed links in a `text/event-stream`, event by event. It holds one unfinished event at most. */
class EventLinks extends Transform {
  /** A character may be cut in two. */
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(private readonly onFiles: (jobs: JobFiles[]) => void) {
    super();
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const events = (this.rest + this.decoder.write(piece)).split('\n\n');
    this.rest = events.pop() ?? '';
    if (this.rest.length > EVENT_MAX_CHARS) return done(new Error('An event of the gateway is too long.'));
    try {
      done(null, events.map((event) => `${this.rewrite(event)}\n\n`).join(''));
    } catch (error) {
      done(error as Error);
    }
  }

  private rewrite(event: string): string {
    const lines = event.split('\n').map((line) => {
      if (!line.startsWith(DATA)) return line;
      const value: unknown = JSON.parse(line.slice(DATA.length));
      this.onFiles(takeLinks(value));
      return DATA + JSON.stringify(value);
    });
    return lines.join('\n');
  }
}

/** Everything else that a browser sends stays here, above all its cookies. */
const REQUEST_HEADERS = [
  ...['content-type', 'content-length', 'accept', 'prefer', 'idempotency-key', 'x-service-quote'],
  'last-event-id',
];
const RESPONSE_HEADERS = [
  ...['content-type', 'retry-after', 'preference-applied', 'idempotency-replayed', 'x-request-id'],
  ...['ratelimit-limit', 'ratelimit-remaining', 'x-accel-buffering'],
];
/** The gateway fits its pages into 256 KiB; a single job or a page of models is smaller than this, too. */
const JSON_MAX_BYTES = 8 * 1024 * 1024;

/** Sends a request of a page to the gateway, with the API key of its session, and the answer back without signed links. */
@Injectable()
export class ForwardRequest {
  constructor(
    private readonly gateway: GatewayClient,
    private readonly answers: OpenAnswers,
    private readonly files: KnownFiles,
    private readonly sessions: Sessions,
  ) {}

  async execute(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const session = sessionOf(request);
    const { path, isStream } = targetOf(request);
    const signal = this.answers.begin(session.id, reply);
    const response = await this.gateway.open({
      method: request.method,
      path,
      apiKey: credentialOf(session),
      session,
      isStream,
      headers: { ...pick(request.headers, REQUEST_HEADERS), 'X-Forwarded-For': request.ip },
      ...(request.body !== undefined && { body: request.body as Readable }),
      signal,
    });
    if (response.statusCode === 401) return this.endSession(session, reply, response);
    void reply.status(response.statusCode ?? 502).headers(pick(response.headers, RESPONSE_HEADERS));
    await this.send(session, reply, response);
  }

  private async send(session: Session, reply: FastifyReply, response: IncomingMessage): Promise<void> {
    const type = response.headers['content-type'] ?? '';
    if (type.startsWith('text/event-stream')) {
      const events = new EventLinks((jobs) => this.files.remember(session.id, jobs));
      // The error of either ends the other; Fastify cuts the answer of a stream that fails.
      response.once('error', (error) => events.destroy(error));
      events.once('close', () => response.destroy());
      await reply.send(response.pipe(events));
      return;
    }
    const value = await readJson(response);
    this.files.remember(session.id, takeLinks(value));
    await reply.send(value === undefined ? '' : JSON.stringify(value));
  }

  /** The key was revoked or has expired, and the session ends with it. */
  private async endSession(session: Session, reply: FastifyReply, response: IncomingMessage): Promise<never> {
    response.destroy();
    await this.sessions.end(session, reply);
    throw new ConsoleError('not_signed_in', 'The API key of this session is not valid any more. Sign in again.');
  }
}

/** @throws ApiError not_found */
function targetOf({ method, url }: FastifyRequest): { path: string; isStream: boolean } {
  const [path = '', ...query] = url.split('?');
  const below = path.slice(FORWARDED_PREFIX.length);
  const route = path.startsWith(FORWARDED_PREFIX) ? findForwardedRoute(method, below) : undefined;
  if (!route) throw notFound();
  return { path: ['/v1' + below, ...query].join('?'), isStream: route.path.endsWith('/events') };
}

function pick(headers: IncomingHttpHeaders, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  try {
    const text = (await readAll(response, JSON_MAX_BYTES)).toString('utf8');
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    response.destroy();
    throw ApiError.unavailable('The API');
  }
}
