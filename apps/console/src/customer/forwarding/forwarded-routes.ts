type Method = 'GET' | 'POST' | 'DELETE';

export const FORWARDED_PREFIX = '/admin/v1/customer';

/** A route of the public API that pages may use with the key of their session. */
export interface ForwardedRoute {
  method: Method;
  /** As below /v1: `/jobs/{id}`. */
  path: string;
  /** The path as segments; null stands for an id. */
  segments: (string | null)[];
}

/** What the pages need of the public API, and nothing else of it. The gateway decides what the key may do. */
export const FORWARDED_ROUTES: ForwardedRoute[] = [
  route('GET', '/account'),
  route('GET', '/account/keys'),
  route('POST', '/account/keys'),
  route('DELETE', '/account/keys/{id}'),
  route('POST', '/account/keys/{id}/rotate'),
  route('GET', '/account/statement'),
  route('POST', '/account/webhook-secret/rotate'),
  route('GET', '/events'),
  route('POST', '/images/generations'),
  route('POST', '/images/edits'),
  route('GET', '/jobs'),
  route('GET', '/jobs/{id}'),
  route('POST', '/jobs/{id}/appeal'),
  route('POST', '/jobs/{id}/cancel'),
  route('DELETE', '/jobs/{id}/content'),
  route('GET', '/jobs/{id}/events'),
  route('DELETE', '/jobs/{id}/outputs'),
  route('GET', '/jobs/{id}/progress'),
  route('GET', '/jobs/{id}/receipt'),
  route('GET', '/loras'),
  route('GET', '/models'),
  route('POST', '/quotes'),
  route('GET', '/usage'),
  route('POST', '/videos/generations'),
  route('GET', '/webhooks/deliveries'),
  route('GET', '/webhooks/deliveries/{id}'),
  route('POST', '/webhooks/deliveries/{id}/redeliver'),
  route('POST', '/webhooks/test'),
];

/** Neither dots, slashes nor escapes: a segment cannot lead to another route of the gateway. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** @param path as the request has it, below the prefix of forwarded routes, without a query */
export function findForwardedRoute(method: string, path: string): ForwardedRoute | undefined {
  const [, ...given] = path.split('/');
  return FORWARDED_ROUTES.find(
    ({ segments, ...each }) =>
      each.method === method &&
      segments.length === given.length &&
      segments.every((segment, index) => (segment === null ? ID.test(given[index] ?? '') : segment === given[index])),
  );
}

function route(method: Method, path: string): ForwardedRoute {
  const [, ...segments] = path.split('/');
  return { method, path, segments: segments.map((segment) => (segment === '{id}' ? null : segment)) };
}
