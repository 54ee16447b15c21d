import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';
import { isDecodable } from './is-decodable';
import type { RoutePolicyOptions } from './route-policy';
import { shownParam } from './shown-param';

/** `application/json`, alone or with the only charset that JSON has. */
const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset=(?:utf-?8|"utf-?8")\s*)?)?$/i;

/** What a route asks of a request that its head alone can tell. @throws ApiError invalid_content_type, invalid_body, invalid_query */
export function assertHeadIsWelcome(request: FastifyRequest, policy: RoutePolicyOptions): void {
  const { headers } = request;
  if (policy.takesJson) assertJsonType(request);
  // Node takes the chunks off a body and leaves on it what it was encoded in before: nothing here could read that.
  if (!/^(?:chunked)?$/i.test(headers['transfer-encoding'] ?? '')) {
    throw new ApiError('invalid_body', 'The Transfer-Encoding must be chunked.');
  }
  if ((declaredBytes(headers) ?? 0) > policy.bodyMaxBytes) throw bodyTooLarge(policy.bodyMaxBytes);
  assertQueryIsWelcome(request, policy);
}

/**
 * RFC 9112, 3.2: wherever the request goes. Node would answer a missing one without the envelope, and takes the first of several.
 * @throws ApiError invalid_body
 */
export function assertOneHost({ raw }: FastifyRequest): void {
  const hosts = raw.headersDistinct.host ?? [];
  if (hosts.length === 1 || (hosts.length === 0 && raw.httpVersion === '1.0')) return;
  throw new ApiError('invalid_body', 'The request must have one Host header.');
}

function assertJsonType({ raw }: FastifyRequest): void {
  // `headers` keeps the first of several and hides the rest.
  const types = raw.headersDistinct['content-type'] ?? [];
  if (types.length === 1 && JSON_TYPE.test(types[0] ?? '')) return;
  throw new ApiError('invalid_content_type', 'The Content-Type must be application/json.');
}

function assertQueryIsWelcome({ url, query }: FastifyRequest, policy: RoutePolicyOptions): void {
  const unknown = Object.keys(query as object).find((name) => !policy.query.includes(name));
  if (unknown !== undefined) {
    throw new ApiError('invalid_query', 'There is no such query parameter.', { param: shownParam(unknown) });
  }
  // The parser passes on what it cannot decode as it stands, which would then be searched for.
  const undecodable = url
    .slice(url.indexOf('?') + 1)
    .split('&')
    .find((pair) => !isDecodable(pair));
  const [param] = undecodable?.split('=') ?? [];
  if (param !== undefined) {
    throw new ApiError('invalid_query', 'The query must be percent-encoded UTF-8.', { param: shownParam(param) });
  }
}

/** The length of a body, where its head tells it. */
export function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (declaredBytes(headers) ?? 0) > 0;
}

export function bodyTooLarge(maxBytes: number): ApiError {
  return new ApiError('invalid_body', `The body must be at most ${maxBytes} bytes long.`);
}
