import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** What the door must know of a route before a handler runs. */
export interface RoutePolicyOptions {
  /**
   * `key`: needs a valid key and a token of its bucket. `open`: needs no key and spends a token of the client address.
   * `signed`: the URL itself is the permission, and nothing is counted. `callback`: the same, and the URL is judged before
   * the body is read. `public`: the same for everybody, and nothing is counted.
   */
  access: 'key' | 'open' | 'signed' | 'callback' | 'public';
  /** Whether the route reads a JSON body; without one, a small body of any kind is ignored. */
  takesJson: boolean;
  /** Whether the route takes a body of any kind as its bytes. */
  takesBytes: boolean;
  bodyMaxBytes: number;
  /** The query parameters that the route knows; any other is refused. */
  query: readonly string[];
  /** How long the services behind may take, once the body is here. */
  timeoutMs: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: RoutePolicyOptions;
  }
}

export const DEFAULT_POLICY: RoutePolicyOptions = {
  access: 'key',
  takesJson: false,
  takesBytes: false,
  bodyMaxBytes: 1024,
  query: [],
  timeoutMs: 10_000,
};
const UNKNOWN_ROUTE_POLICY: RoutePolicyOptions = { ...DEFAULT_POLICY, access: 'open' };

/** Says what the door lets through to a route, where that differs from an ordinary one. */
export function RoutePolicy(policy: Partial<RoutePolicyOptions>): MethodDecorator {
  return RouteConfig({ policy: { ...DEFAULT_POLICY, ...policy } });
}

export function policyOf(request: FastifyRequest): RoutePolicyOptions {
  return request.is404 ? UNKNOWN_ROUTE_POLICY : (request.routeOptions.config.policy ?? DEFAULT_POLICY);
}
