import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originsOf } from '../gateway.config';
import { methodsOf } from './known-routes';

/** Headers of answers that a script needs and that browsers hide from it otherwise. */
const EXPOSED_HEADERS = [
  ...['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'Retry-After', 'Idempotency-Replayed'],
  ...['Preference-Applied', 'Content-Range', 'Content-Disposition', 'ETag'],
  ...['X-Kinora-Job-Id', 'X-Kinora-Charged-Usd', 'X-Kinora-Ignored', 'x-should-retry'],
].join(', ');
/** Names of headers in a list: anything else is not repeated in an answer. */
const HEADER_NAMES = /^[\w-]+(?: *, *[\w-]+)*$/;
/** The longest that any browser keeps the answer to a preflight. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Lets the scripts of the listed origins read every answer (CORS). They hold a key of their own and send it, so no cookies are
 * allowed. The admission hook answers preflights, because they spend a token of their address like any request without a key.
 */
export function allowOrigins(server: FastifyInstance, list: string): void {
  const origins = new Set(originsOf(list));
  server.decorateRequest('isFromListedOrigin', false);
  if (origins.size === 0) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { origin = '' } = request.headers;
    request.isFromListedOrigin = origins.has(origin);
    reply.header('Vary', 'Origin');
    if (request.isFromListedOrigin)
      reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    done();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a script of an origin of KINORA_CORS_ORIGINS has sent the request. */
    isFromListedOrigin: boolean;
  }
}

/** The headers that answer a preflight of a listed origin for a known path; null for every other request. */
export function preflightHeaders({ isFromListedOrigin, method, headers, server, url }: FastifyRequest): object | null {
  if (!isFromListedOrigin || method !== 'OPTIONS' || headers['access-control-request-method'] === undefined)
    return null;
  const methods = methodsOf(server.knownRoutes, url.replace(/\?.*$/s, ''));
  if (methods.length === 0) return null;
  const requested = headers['access-control-request-headers'] ?? '';
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    ...(HEADER_NAMES.test(requested) && { 'Access-Control-Allow-Headers': requested }),
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
}
