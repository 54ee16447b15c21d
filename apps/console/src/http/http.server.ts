import { randomUUID } from 'node:crypto';
import { compile as compileAddresses } from '@fastify/proxy-addr';
import { type FastifyInstance, fastify } from 'fastify';
import type { ConsoleConfig } from '../console.config';

const MAX_HEADER_BYTES = 16 * 1024;
const CONNECTIONS_MAX = 4_000;

/** The HTTP server, with limits on what one client can occupy. */
export function createHttpServer({ trustedProxies }: ConsoleConfig): FastifyInstance {
  const server = fastify({
    genReqId: () => `req_${randomUUID().replaceAll('-', '')}`,
    trustProxy: trustedProxies === '' ? false : compileTrusted(trustedProxies),
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    // Longer than the gateway gives a body of images.
    requestTimeout: 75_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 10_000 },
  });
  server.server.maxConnections = CONNECTIONS_MAX;
  return server;
}

function compileTrusted(trustedProxies: string): (address: string) => boolean {
  const includes = compileAddresses(trustedProxies.split(',').map((entry) => entry.trim()));
  return (address) => includes(address, 0);
}
