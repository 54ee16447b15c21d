import type { Logger } from '@kinora/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of an error response; null for a success. */
    errorCode: string | null;
  }
}

/** Writes one line per response. It names the route and never the URL, which holds what a user typed. */
export function logAccess(server: FastifyInstance, logger: Logger): void {
  server.decorateRequest('errorCode', null);
  server.addHook('onResponse', (request, reply, done) => {
    logger.info(toAccessLine(request, reply), 'http_request');
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    logger.info({ request_id: request.id, route: request.routeOptions.url, is_aborted: true }, 'http_request_aborted');
    done();
  });
}

function toAccessLine(request: FastifyRequest, reply: FastifyReply): object {
  return {
    request_id: request.id,
    account_id: request.session?.account_id ?? undefined,
    user_id: request.session?.user_id ?? undefined,
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    error_code: request.errorCode ?? undefined,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
  };
}
