import type { IncomingMessage } from 'node:http';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { MAX_HEAD_BYTES, handleEveryRequest, isDecodable, malformedRequestHandler } from '@kinora/service-kit';
import { limitConnections, trustedProxiesOf } from '@kinora/service-kit/connection-limit';
import { type FastifyInstance, fastify } from 'fastify';
import type { ConsoleConfig } from '../console.config';
import { toRawResponse } from './raw-response';
import { newRequestId } from './request-id';
import { securityHeaders } from './security-headers';
import { NO_FILE } from './web-files';

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
