import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { compile as compileAddresses } from '@fastify/proxy-addr';
import { type FastifyInstance, fastify } from 'fastify';
import type { GatewayConfig } from '../gateway.config';
import { limitConnections } from './connection-limit';
import { isDecodable } from './is-decodable';
import { type PeekAddress, malformedRequestHandler } from './malformed-request';
import { newRequestId } from './request-id';

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * The HTTP server, with limits on everything that a client could use to exhaust it. Hooks and routes are registered on it
 * later.
 */
export function createHttpServer(config: GatewayConfig, peekAddress: PeekAddress): FastifyInstance {
  const answerMalformed = malformedRequestHandler(peekAddress);
  const isTrustedProxy = trustedProxiesOf(config);
  const server = fastify({
    genReqId: newRequestId,
    rewriteUrl: hideUndecodablePath,
    clientErrorHandler: answerMalformed,
    trustProxy: config.trustedProxies === '' ? false : isTrustedProxy,
    // A HEAD beside each GET would be an endpoint that the OpenAPI document does not describe.
    exposeHeadRoutes: false,
    // Lifts the router's length limit on parameters, so that an overlong id is 404 like any other unknown id.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
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
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 5_000,
      // Node would answer a missing Host without the error envelope. The admission hook answers with it.
      requireHostHeader: false,
    },
  });
  server.server.maxConnections = config.connectionsMax;
  limitConnections(server.server, { max: config.addressConnectionsMax, isTrustedProxy, peekAddress });
  // Node would answer these two itself: by inviting a body that admission may refuse, and by 417 without the envelope.
  server.server.on('checkContinue', (request, response) => server.server.emit('request', request, response));
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  // Node would close a CONNECT request without a response.
  server.server.on('connect', (_request, socket: Socket) => {
    // Node has removed its error listener here. Without one, a client that disconnects now would crash the process.
    socket.on('error', () => undefined);
    answerMalformed(Object.assign(new Error('CONNECT is not supported.'), { code: 'HPE_INVALID_METHOD' }), socket);
  });
  return server;
}

function trustedProxiesOf({ trustedProxies }: GatewayConfig): (address: string) => boolean {
  if (trustedProxies === '') return () => false;
  const includes = compileAddresses(trustedProxies.split(',').map((entry) => entry.trim()));
  return (address) => includes(address, 0);
}

/** A path that cannot be decoded does not exist. Fastify would answer it without any hook and without the envelope. */
function hideUndecodablePath(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const [path = ''] = url.split('?', 1);
  return isDecodable(path) ? url : '/';
}
