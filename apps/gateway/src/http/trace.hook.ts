import { type OpenSpan, openSpan } from '@kinora/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { onRequestEnd } from './request-end';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where tracing is off. */
    trace: OpenSpan | null;
  }
}

/**
 * Starts a span for each request, as a child of the client's `traceparent` if there is one. The span ends with the
 * response.
 */
export function traceRequests(server: FastifyInstance): void {
  server.decorateRequest('trace', null);
  server.addHook('onRequest', (request, reply, done) => {
    const { traceparent } = request.headers;
    const span = openSpan(typeof traceparent === 'string' ? traceparent : null, nameOf(request), { kind: 'server' });
    if (span === null) return done();
    request.trace = span;
    onRequestEnd(request, () => end(span, request, reply));
    span.enter(done);
  });
}

/** Names the span by route template, never by URL, which may contain secrets. */
function nameOf({ method, is404, routeOptions }: FastifyRequest): string {
  return is404 ? method : `${method} ${routeOptions.url}`;
}

function end(span: OpenSpan, request: FastifyRequest, { raw, statusCode }: FastifyReply): void {
  span.set({
    'http.request.method': request.method,
    'http.route': request.is404 ? undefined : request.routeOptions.url,
    'http.response.status_code': raw.headersSent ? statusCode : undefined,
    'kinora.request_id': request.id,
    'kinora.account_id': request.admission?.account_id,
    'kinora.job_id': request.createdJobId ?? undefined,
  });
  span.end(statusCode >= 500 ? (request.errorCode ?? String(statusCode)) : undefined);
}
