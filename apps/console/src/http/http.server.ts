import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { fastify, type FastifyInstance } from 'fastify';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { handleEveryRequest, isDecodable, malformedRequestHandler, MAX_HEAD_BYTES } from '@kinora/service-kit';
import { limitConnections, trustedProxiesOf } from '@kinora/service-kit/connection-limit';
import type { ConsoleConfig } from '../console.config';
import { toEnvelope } from './console-error';
import { securityHeaders } from './security-headers';
import { NO_FILE } from './web.controller';

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

/** An error as raw bytes, for a connection without a request or response object. */
export function toRawResponse(error: ApiError, headers: Record<string, string>): string {
  const requestId = newRequestId();
  const body = JSON.stringify(toEnvelope(error, requestId));
  const all = {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n');
}

const CONNECTIONS_MAX = 4_000;

/** The HTTP server, with limits on what one client can occupy. */
export function createHttpServer({ trustedProxies, isSecure, addressConnectionsMax }: ConsoleConfig): FastifyInstance {
  const headers = securityHeaders(isSecure);
  const toRaw = (error: ApiError): string => toRawResponse(error, headers);
  const answerMalformed = malformedRequestHandler(toRaw);
  const isTrustedProxy = trustedProxiesOf(trustedProxies);
  const server = fastify({
    genReqId: newRequestId,
    rewriteUrl: hideUndecodablePath,
    clientErrorHandler: answerMalformed,
    trustProxy: trustedProxies === '' ? false : isTrustedProxy,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    // Longer than the gateway gives a body of images.
    requestTimeout: 75_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Node would answer a missing Host without the headers of the console.
    http: { maxHeaderSize: MAX_HEAD_BYTES, headersTimeout: 10_000, requireHostHeader: false },
  });
  server.server.maxConnections = CONNECTIONS_MAX;
  limitConnections(server.server, { max: addressConnectionsMax, isTrustedProxy, toRawResponse: toRaw });
  handleEveryRequest(server.server, answerMalformed);
  return server;
}

/** A path that cannot be decoded does not exist. Fastify would answer it without any hook, and so without a header. */
function hideUndecodablePath({ url = '/' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return isDecodable(path) ? url : NO_FILE;
}
