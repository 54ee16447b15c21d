import { RoutePolicy, type RoutePolicyOptions } from '../http/route-policy';

/** Admission of a route of the OpenAI-compatible API. Azure's clients send `api-version` and `api-key`. */
export function OpenAiRoute(policy: Partial<RoutePolicyOptions> = {}): MethodDecorator {
  return RoutePolicy({
    takesApiKeyHeader: true,
    hashesBody: true,
    hashesBytes: true,
    ...policy,
    query: ['api-version', ...(policy.query ?? [])],
  });
}
