import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import type { RateDecision } from '@kinora/contracts/billing/billing.rpc';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { handleEveryRequest, isDecodable, malformedRequestHandler, MAX_HEAD_BYTES } from '@kinora/service-kit';
import { limitConnections, trustedProxiesOf } from '@kinora/service-kit/connection-limit';
import type { GatewayConfig } from '../gateway.config';
import { newRequestId } from './call.hook';
import { toEnvelope } from './error-answer';

/** An error as raw bytes, for a connection without a request or response object. */
export function toRawResponse(error: ApiError, rate: RateDecision): string {
  const requestId = newRequestId();
  const body = JSON.stringify(toEnvelope(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `RateLimit-Limit: ${rate.limit}`,
    `RateLimit-Remaining: ${rate.remaining}`,
    ...(error.retryAfterSeconds === undefined ? [] : [`Retry-After: ${error.retryAfterSeconds}`]),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Describes the bucket of a client address without taking a token. */
type PeekAddress = (address: string) => RateDecision;

/**
 * The HTTP server, with limits on everything that a client could use to exhaust it. Hooks and routes are registered on it
 * later.
 */
export function createHttpServer(config: GatewayConfig, peekAddress: PeekAddress): FastifyInstance {
  const toRaw = (error: ApiError, { remoteAddress }: Socket): string =>
    toRawResponse(error, peekAddress(remoteAddress ?? ''));
  const answerMalformed = malformedRequestHandler(toRaw);
  const isTrustedProxy = trustedProxiesOf(config.trustedProxies);
  const server = fastify({
    genReqId: newRequestId,
    rewriteUrl: hideUndecodablePath,
    clientErrorHandler: answerMalformed,
    trustProxy: config.trustedProxies === '' ? false : isTrustedProxy,
    // Monitors send HEAD. Fastify runs the handler of the GET and sends its headers only.
    exposeHeadRoutes: true,
    // Lifts the router's length limit on parameters, so that an overlong id is 404 like any other unknown id.
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    // A limit for bodies that no handler reads. `collectBody` has its own limit and answers with an error.
    requestTimeout: 75_000,
    // A download that the client does not read must not keep its file open forever.
    connectionTimeout: 120_000,
    // Longer than the 60 s after which common load balancers close an idle connection, so that the load balancer closes
    // it first.
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // Requests that still arrive while the server closes are served, with `Connection: close`.
    return503OnClosing: false,
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 5_000,
      // Node would answer a missing Host without the error envelope. The admission hook answers with it.
      requireHostHeader: false,
    },
  });
  server.server.maxConnections = config.connectionsMax;
  limitConnections(server.server, {
    max: config.addressConnectionsMax,
    isTrustedProxy,
    toRawResponse: toRaw,
  });
  handleEveryRequest(server.server, answerMalformed);
  // Node would invite a body that admission may refuse.
  server.server.on('checkContinue', (request, response) => server.server.emit('request', request, response));
  return server;
}

/** A path that cannot be decoded does not exist. Fastify would answer it without any hook and without the envelope. */
function hideUndecodablePath(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const [path = ''] = url.split('?', 1);
  return isDecodable(path) ? url : '/';
}
