import type { Logger } from '@kinora/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from './addressed-id.decorator';
import { onRequestEnd } from './request-end';

declare module 'fastify' {
  interface FastifyRequest {
    /** The job that the request created, or the existing job that it was answered with. */
    createdJobId: string | null;
    /** The error code of the response; null for a success. */
    errorCode: string | null;
  }
}

/**
 * Writes one line per request, when the response is complete or the client has disconnected. The line names the route,
 * never the URL: clients put API keys into paths and queries, and a signed URL grants access.
 */
export function logAccess(server: FastifyInstance, logger: Logger): void {
  server.decorateRequest('createdJobId', null);
  server.decorateRequest('errorCode', null);
  server.addHook('onRequest', (request, reply, done) => {
    const beganAtMs = performance.now();
    onRequestEnd(request, () => logger.info(toAccessLine(request, reply, beganAtMs), 'http_request'));
    done();
  });
}

function toAccessLine(request: FastifyRequest, reply: FastifyReply, beganAtMs: number): object {
  const { headersSent, writableFinished } = reply.raw;
  return {
    request_id: request.id,
    account_id: request.admission?.account_id,
    trace_id: request.trace?.traceId,
    job_id: request.createdJobId ?? addressedJobId(request),
    method: request.method,
    route: request.is404 ? undefined : request.routeOptions.url,
    status: headersSent ? reply.statusCode : undefined,
    error_code: request.errorCode ?? undefined,
    duration_ms: Math.round((performance.now() - beganAtMs) * 10) / 10,
    bytes: announcedBytes(reply),
    is_aborted: writableFinished ? undefined : true,
  };
}

/** Logs only a well-formed job id, because clients have put their API keys there. Other routes address no job. */
export function addressedJobId({ params, routeOptions }: FastifyRequest): string | undefined {
  const { id } = (params ?? {}) as { id?: unknown };
  const isJob = routeOptions.url?.startsWith('/v1/jobs/') && typeof id === 'string' && isUuid(id);
  return isJob ? id.toLowerCase() : undefined;
}

/** A streamed response without a Content-Length has no byte count. */
function announcedBytes(reply: FastifyReply): number | undefined {
  const announced = reply.getHeader('content-length') ?? reply.raw.getHeader('content-length');
  return announced === undefined ? undefined : Number(announced);
}
