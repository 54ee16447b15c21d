import { type KeyScope, includesScope } from '@kinora/contracts/billing/api-key-format';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** What the admission hook needs to know of a route before its handler runs. */
export interface RoutePolicyOptions {
  /**
   * `key`: needs a valid key and takes a token of the key's bucket. `open`: needs no key and takes a token of the client
   * address. `signed`: the signed URL grants access, and no bucket is used. `callback`: the same, and the URL is verified
   * before the body is read. `event`: the signature of the body grants access. `public`: open to all clients, and no bucket is used.
   */
  access: 'key' | 'open' | 'signed' | 'callback' | 'event' | 'public';
  /**
   * The scope that the key needs at least. Left out, `requiredScope` derives it from the method. The check refuses a route
   * below `/account` or `/webhooks` that leaves it out (`api-routes.ts` of the API reference).
   */
  scope?: KeyScope;
  /** Whether the route reads a JSON body; without one, a small body of any kind is ignored. */
  takesJson: boolean;
  /** Whether a request without a body and without a Content-Type stands for an empty object. */
  isBodyOptional: boolean;
  /** Whether the route reads a multipart/form-data body, instead of JSON or beside it. */
  takesMultipart: boolean;
  /** Whether the canonical JSON of the body is hashed. */
  hashesBody: boolean;
  /** Whether the route takes a body of any type as raw bytes. */
  takesBytes: boolean;
  /** Media types of files that the route takes as its body, beside JSON, and how large each may be. */
  files: Readonly<Record<string, number>>;
  /** Whether the body is hashed as received, to recognise it when the client sends it again. */
  hashesBytes: boolean;
  /** Whether the key may also come in the header `api-key`. */
  takesApiKeyHeader: boolean;
  bodyMaxBytes: number;
  query: readonly string[];
  /** Whether query parameters change nothing, because the errors of the route include none for a bad query (decisions: Request bodies). */
  ignoresUnknownQuery: boolean;
  /** How long the services may take after the body has arrived. */
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
  isBodyOptional: false,
  takesMultipart: false,
  hashesBody: false,
  takesBytes: false,
  files: {},
  hashesBytes: false,
  takesApiKeyHeader: false,
  bodyMaxBytes: 1024,
  query: [],
  ignoresUnknownQuery: false,
  timeoutMs: 10_000,
};
const UNKNOWN_ROUTE_POLICY: RoutePolicyOptions = { ...DEFAULT_POLICY, access: 'open' };

/** Sets the admission policy of a route where it differs from the default. */
export function RoutePolicy(policy: Partial<RoutePolicyOptions>): MethodDecorator {
  return RouteConfig({ policy: { ...DEFAULT_POLICY, ...policy } });
}

/** The bytes that a body may have; a file has a limit of its type. */
export function bodyMaxBytesOf(request: FastifyRequest): number {
  const { files, bodyMaxBytes } = policyOf(request);
  return files[fileTypeOf(request) ?? ''] ?? bodyMaxBytes;
}

/** The media type of a body that is a file; null for any other body. */
export function fileTypeOf(request: FastifyRequest): string | null {
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  return Object.hasOwn(policyOf(request).files, type) ? type : null;
}

export function policyOf(request: FastifyRequest): RoutePolicyOptions {
  return request.is404 ? UNKNOWN_ROUTE_POLICY : (request.routeOptions.config.policy ?? DEFAULT_POLICY);
}

/**
 * The scope that a key needs for a route (decisions: Scopes of keys). A route without a policy of its own is safe: it needs
 * `jobs` unless it only reads. A policy can only raise what the method needs.
 */
export function requiredScope(method: string, { scope = 'read' }: Pick<RoutePolicyOptions, 'scope'>): KeyScope {
  const byMethod = method === 'GET' || method === 'HEAD' ? 'read' : 'jobs';
  return includesScope(scope, byMethod) ? scope : byMethod;
}
