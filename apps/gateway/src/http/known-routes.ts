import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What all other routes begin with. */
const PREFIX = '/v1';
const HINT = 'All endpoints are at /docs.';
/** Every GET is served as HEAD too, which would only make the answer longer. */
const UNNAMED_METHODS = new Set(['HEAD', 'OPTIONS']);

interface Route {
  path: RegExp;
  methods: string[];
}

declare module 'fastify' {
  interface FastifyInstance {
    knownRoutes: Route[];
  }
}

/** Remembers every route that is registered from now on, so that a request which misses can be told what it missed. */
export function rememberRoutes(server: FastifyInstance): void {
  const routes: Route[] = [];
  server.decorate('knownRoutes', routes);
  server.addHook('onRoute', ({ url, method }) => {
    // A route for everything is how the framework answers what is no route.
    if (!url.startsWith(`${PREFIX}/`) || url.endsWith('*')) return;
    const methods = [method].flat().filter((each) => !UNNAMED_METHODS.has(each));
    routes.push({ path: new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`), methods });
  });
}

/** A wrong path and a wrong method are both 404 (decisions: Request bodies); the message names the right methods. */
export function noSuchEndpoint({ server, url }: FastifyRequest): ApiError {
  return new ApiError('not_found', explainMiss(server.knownRoutes, url.replace(/\?.*$/s, '')));
}

function explainMiss(routes: Route[], path: string): string {
  const methods = methodsOf(routes, path);
  if (methods.length > 0) return `There is no such endpoint: this path takes ${methods.join(' and ')} only. ${HINT}`;
  const withoutSlash = path.replace(/\/+$/, '');
  if (withoutSlash !== path && methodsOf(routes, withoutSlash).length > 0)
    return `There is no such endpoint: the path must not end in a slash. ${HINT}`;
  if (methodsOf(routes, PREFIX + withoutSlash).length > 0)
    return `There is no such endpoint: the path must begin with ${PREFIX}. ${HINT}`;
  return `There is no such endpoint. ${HINT}`;
}

function methodsOf(routes: Route[], path: string): string[] {
  return [...new Set(routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods))];
}
