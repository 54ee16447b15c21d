import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertOneHost } from '@kinora/service-kit';
import { ConsoleConfig } from '../console.config';
import { ConsoleError, notFound } from '../http/console-error';
import { accessOf, type Half, halfOf } from '../http/route-access';
import { type Session, Sessions } from './sessions';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

function isWrite(method: string): boolean {
  return !SAFE_METHODS.has(method);
}

/**
 * Whether a request that changes something comes from the console's own pages, or from no page at all. Browsers send `Origin`
 * with such requests; `Sec-Fetch-Site` cannot be set by scripts.
 */
function isFromOwnPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, ownOrigin: string): boolean {
  if (origin !== undefined && origin !== ownOrigin) return false;
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** Decides for each request, before its body is read, whether it may pass. */
@Injectable()
export class SessionHook {
  constructor(
    private readonly config: ConsoleConfig,
    private readonly sessions: Sessions,
  ) {}

  /** @throws ConsoleError cross_site, not_signed_in; ApiError invalid_body, and not_found for the half that this process does not serve */
  async onRequest(request: FastifyRequest): Promise<void> {
    assertOneHost(request.raw);
    if (isWrite(request.method) && !isFromOwnPage(request.headers, this.config.origin))
      throw new ConsoleError('cross_site', `This request must come from a page of ${this.config.origin}.`);
    const [path = '/'] = request.url.split('?', 1);
    // The router decodes a path before it matches it, so the decision takes the matched route, too.
    const half = halfOf(request.routeOptions.url ?? '') ?? halfOf(path);
    if (half === null) return;
    if (!this.serves(half)) throw notFound();
    request.session = await this.sessions.find(request, half);
    if (accessOf(request).session === 'open') return;
    if (request.session === null) throw new ConsoleError('not_signed_in', 'Sign in first: there is no session.');
    if (isWrite(request.method) && !this.sessions.hasCsrfToken(request, half))
      throw new ConsoleError('cross_site', 'X-CSRF-Token must hold the csrf_token of the session.', 'X-CSRF-Token');
  }

  private serves(half: Half): boolean {
    return half === 'operator' ? this.config.servesOperators : this.config.servesCustomers;
  }
}

/** What sets the cookie of a session. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export const CurrentExchange = createParamDecorator((_data: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest(), reply: http.getResponse() };
});

/** The session of a route that needs one. */
export const CurrentSession = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  sessionOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

export function sessionOf({ session }: FastifyRequest): Session {
  if (session === null) throw new Error('The request has no session: the route is open.');
  return session;
}
