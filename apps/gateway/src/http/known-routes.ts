import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const PREFIX = '/v1';
const HINT = 'All endpoints are at /docs.';
/** Left out of the message: every path with GET has it too, which would only make the message longer. */
const UNNAMED_METHOD = 'HEAD';

interface Route {
  path: RegExp;
  methods: string[];
}

declare module 'fastify' {
  interface FastifyInstance {
    knownRoutes: Route[];
  }
}

/**
 * Records every route that is registered after this call, so that the 404 of an unknown endpoint can name the right path
 * or method.
 */
export function rememberRoutes(server: FastifyInstance): void {
  const routes: Route[] = [];
  server.decorate('knownRoutes', routes);
  server.addHook('onRoute', ({ url, method }) => {
    // The framework's own handler of unknown endpoints.
    if (url === '*' || url === '/*') return;
    routes.push({
      methods: [method].flat(),
      path: new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+').replace(/\*$/, '.+')}$`),
    });
  });
}

/** A wrong path and a wrong method are both 404 (decisions: Request bodies); the message names the right methods. */
export function noSuchEndpoint({ server, url }: FastifyRequest): ApiError {
  return new ApiError('not_found', explainMiss(server.knownRoutes, url.replace(/\?.*$/s, '')));
}

function explainMiss(routes: Route[], path: string): string {
  const methods = methodsOf(routes, path).filter((method) => method !== UNNAMED_METHOD);
  if (methods.length > 0) return `There is no such endpoint: this path takes ${methods.join(' and ')} only. ${HINT}`;
  const withoutSlash = path.replace(/\/+$/, '');
  if (withoutSlash !== path && methodsOf(routes, withoutSlash).length > 0)
    return `There is no such endpoint: the path must not end in a slash. ${HINT}`;
  if (methodsOf(routes, PREFIX + withoutSlash).length > 0)
    return `There is no such endpoint: the path must begin with ${PREFIX}. ${HINT}`;
  return `There is no such endpoint. ${HINT}`;
}

/** The methods that a path takes; none for an unknown path. */
export function methodsOf(routes: Route[], path: string): string[] {
  return [...new Set(routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods))];
}
