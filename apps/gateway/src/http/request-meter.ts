import type { Observations } from '@kinora/metrics';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpRequestDuration, httpRequestsInFlight } from './http.metrics';
import { onRequestEnd } from './request-end';

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
