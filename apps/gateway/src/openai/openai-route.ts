import { RoutePolicy, type RoutePolicyOptions } from '../http/route-policy';

/** Clients of Azure send it with every request, and it changes nothing. */
export const API_VERSION_PARAM = 'api-version';

/** Admission of a route of the OpenAI-compatible API. Azure's clients send `api-version` and `api-key`. */
export function OpenAiRoute(policy: Partial<RoutePolicyOptions> = {}): MethodDecorator {
  return RoutePolicy({
    takesApiKeyHeader: true,
    hashesBody: true,
    hashesBytes: true,
    ...policy,
    query: [API_VERSION_PARAM, ...(policy.query ?? [])],
  });
}

/** The query as the route reads it. */
export function withoutApiVersion(query: unknown): Record<string, unknown> {
  const { [API_VERSION_PARAM]: _version, ...rest } = query as Record<string, unknown>;
  return rest;
}
