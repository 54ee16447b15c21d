import type { Observations } from '@kinora/metrics';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpRequestDuration, httpRequestsInFlight } from './http.metrics';
import { onRequestEnd } from './request-end';

/** Measures every request of the server; to be put into it before any hook that answers. */
export function meterRequests(server: FastifyInstance): void {
  let inFlight = 0;
  httpRequestsInFlight.readBy({}, () => inFlight);
  const routes = new Map<string, RouteTimes>();
  const timesOf = (request: FastifyRequest): RouteTimes => {
    // What is no endpoint has no template, and its path and its method are the client's choice.
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

/** The times of a route by the class of its answers, looked up once. */
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
