import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';
import { isDecodable } from './is-decodable';
import type { RoutePolicyOptions } from './route-policy';
import { shownParam } from './shown-param';

/** Matches `application/json`, alone or with charset UTF-8. */
const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset=(?:utf-?8|"utf-?8")\s*)?)?$/i;

/**
 * Checks the requirements of a route that the head alone shows.
 * @throws ApiError invalid_content_type, invalid_body, invalid_query
 */
export function assertHeadIsWelcome(request: FastifyRequest, policy: RoutePolicyOptions): void {
  const { headers } = request;
  if (policy.takesJson) assertJsonType(request);
  // Node decodes `chunked` only. A body with any other transfer encoding would reach the parser encoded.
  if (!/^(?:chunked)?$/i.test(headers['transfer-encoding'] ?? '')) {
    throw new ApiError('invalid_body', 'The Transfer-Encoding must be chunked.');
  }
  if ((declaredBytes(headers) ?? 0) > policy.bodyMaxBytes) throw bodyTooLarge(policy.bodyMaxBytes);
  assertQueryIsWelcome(request, policy);
}

/**
 * Requires exactly one Host header on every request (RFC 9112, 3.2). Node would answer a missing one without the
 * envelope, and uses the first of several.
 * @throws ApiError invalid_body
 */
export function assertOneHost({ raw }: FastifyRequest): void {
  const hosts = raw.headersDistinct.host ?? [];
  if (hosts.length === 1 || (hosts.length === 0 && raw.httpVersion === '1.0')) return;
  throw new ApiError('invalid_body', 'The request must have one Host header.');
}

function assertJsonType({ raw }: FastifyRequest): void {
  // `raw.headers` keeps only the first of several Content-Type headers.
  const types = raw.headersDistinct['content-type'] ?? [];
  if (types.length === 1 && JSON_TYPE.test(types[0] ?? '')) return;
  throw new ApiError('invalid_content_type', 'The Content-Type must be application/json.');
}

function assertQueryIsWelcome({ url, query }: FastifyRequest, policy: RoutePolicyOptions): void {
  const unknown = Object.keys(query as object).find((name) => !policy.query.includes(name));
  if (unknown !== undefined) {
    throw new ApiError('invalid_query', 'There is no such query parameter.', { param: shownParam(unknown) });
  }
  // The query parser returns an undecodable value unchanged, and the value would then be used as a filter.
  const undecodable = url
    .slice(url.indexOf('?') + 1)
    .split('&')
    .find((pair) => !isDecodable(pair));
  const [param] = undecodable?.split('=') ?? [];
  if (param !== undefined) {
    throw new ApiError('invalid_query', 'The query must be percent-encoded UTF-8.', { param: shownParam(param) });
  }
}

/** The declared length of a body; undefined without a Content-Length. */
export function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (declaredBytes(headers) ?? 0) > 0;
}

export function bodyTooLarge(maxBytes: number): ApiError {
  return new ApiError('invalid_body', `The body must be at most ${maxBytes} bytes long.`);
}
