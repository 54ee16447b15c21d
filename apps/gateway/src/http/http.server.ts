import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { compile as compileAddresses } from '@fastify/proxy-addr';
import { type FastifyInstance, fastify } from 'fastify';
import { CONNECTIONS_MAX, type GatewayConfig } from '../gateway.config';
import { limitConnections } from './connection-limit';
import { isDecodable } from './is-decodable';
import { type PeekAddress, malformedRequestHandler } from './malformed-request';
import { newRequestId } from './request-id';

const MAX_HEADER_BYTES = 16 * 1024;

/** The HTTP server, with bounds on all that a client could use to hold it up. Admission and routes are put into it. */
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
    // A parameter can then not be too long: an id that is none is 404 like any other.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    // For what nobody collects: whoever does has a bound of his own, and can answer for it.
    requestTimeout: 75_000,
    // A download that nobody reads must not hold its file open for ever.
    connectionTimeout: 120_000,
    // Longer than the 60 s after which usual load balancers close an idle connection, so that they close first.
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // Whoever still gets through while the server closes is served, and told to come back on a new connection.
    return503OnClosing: false,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 5_000,
      // Node would answer a missing Host itself, without the envelope: the door does, with it.
      requireHostHeader: false,
    },
  });
  server.server.maxConnections = CONNECTIONS_MAX;
  limitConnections(server.server, { max: config.addressConnectionsMax, isTrustedProxy, peekAddress });
  // Node would answer these two itself: by inviting a body that the door may refuse, and by 417 without the envelope.
  server.server.on('checkContinue', (request, response) => server.server.emit('request', request, response));
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  // And would hang up on this one without a word.
  server.server.on('connect', (_request, socket: Socket) => {
    // Node no longer listens here, and a client that leaves now would end the process.
    socket.on('error', () => undefined);
    answerMalformed(Object.assign(new Error('There are no tunnels here.'), { code: 'HPE_INVALID_METHOD' }), socket);
  });
  return server;
}

function trustedProxiesOf({ trustedProxies }: GatewayConfig): (address: string) => boolean {
  if (trustedProxies === '') return () => false;
  const includes = compileAddresses(trustedProxies.split(',').map((entry) => entry.trim()));
  return (address) => includes(address, 0);
}

/** A path that cannot be decoded does not exist. Fastify would say so past every hook, without the envelope. */
function hideUndecodablePath(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const [path = ''] = url.split('?', 1);
  return isDecodable(path) ? url : '/';
}
