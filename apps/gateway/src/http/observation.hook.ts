import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Observations } from '@kinora/metrics';
import type { Logger } from '@kinora/service-kit';
import { type OpenSpan, openSpan } from '@kinora/tracing';
import { httpRequestDuration, httpRequestsInFlight } from './http.metrics';
import { isUuid } from './parameters.decorator';
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

declare module 'fastify' {
  interface FastifyRequest {
    /** The job that the request created, or the existing job that it was answered with. */
    createdJobId: string | null;
    /** The error code of the response; null for a success. */
    errorCode: string | null;
    /** The body of an error response, in the form of its path. */
    errorBody: object | null;
  }
}

/**
 * Writes one line per request, when the response is complete or the client has disconnected. The line names the route,
 * never the URL: clients put API keys into paths and queries, and a signed URL grants access.
 */
export function logAccess(server: FastifyInstance, logger: Logger): void {
  server.decorateRequest('createdJobId', null);
  server.decorateRequest('errorCode', null);
  server.decorateRequest('errorBody', null);
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

/** Measures every request of the server. Must be registered before any hook that answers. */
export function meterRequests(server: FastifyInstance): void {
  let inFlight = 0;
  httpRequestsInFlight.readBy({}, () => inFlight);
  const routes = new Map<string, RouteTimes>();
  const timesOf = (request: FastifyRequest): RouteTimes => {
    // An unknown endpoint has no route template. Its path and method are chosen by the client and would make the label
    // cardinality unbounded.
    const [method, route] = request.is404 ? ['other', 'unknown'] : [request.method, request.routeOptions.url ?? ''];
    const key = `${method} ${route}`;
    const known = routes.get(key) ?? new RouteTimes(method, route);
    routes.set(key, known);
    return known;
  };
  server.addHook('onRequest', (request, _reply, done) => {
    inFlight += 1;
    onRequestEnd(request, () => (inFlight -= 1));
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    timesOf(request)
      .of(reply.statusCode)
      .observe(reply.elapsedTime / 1_000);
    done();
  });
}

/** The histograms of one route, cached by status class. */
class RouteTimes {
  private readonly byClass: Observations[] = [];

  constructor(
    private readonly method: string,
    private readonly route: string,
  ) {}

  of(status: number): Observations {
    const hundreds = Math.floor(status / 100);
    return (this.byClass[hundreds] ??= httpRequestDuration.of({
      method: this.method,
      route: this.route,
      status: `${hundreds}xx`,
    }));
  }
}
