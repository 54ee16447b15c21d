import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isDecodable } from '@kinora/service-kit';
import type { FastifyRequest } from 'fastify';
import { bodyMaxBytesOf, fileTypeOf, type RoutePolicyOptions } from './route-policy';
import { shownParam } from './error-answer';

/** Matches `application/json` with any parameters: RFC 8259 defines none, and its text is UTF-8 whatever they say. */
const JSON_TYPE = /^application\/json\s*(?:;.*)?$/i;
/** Matches `multipart/form-data` with a boundary of RFC 2046, and with charset UTF-8 at most. */
const MULTIPART_TYPE =
  /^multipart\/form-data\s*(?:;\s*charset=utf-?8\s*)?;\s*boundary=("?)([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])\1\s*(?:;\s*charset=utf-?8\s*)?$/i;

/**
 * Checks the requirements of a route that the head alone shows.
 * @throws ApiError invalid_content_type, invalid_body, invalid_query
 */
export function assertHeadIsWelcome(request: FastifyRequest, policy: RoutePolicyOptions): void {
  const { headers } = request;
  assertContentType(request, policy);
  // Node decodes `chunked` only. A body with any other transfer encoding would reach the parser encoded.
  if (!/^(?:chunked)?$/i.test(headers['transfer-encoding'] ?? '')) {
    throw new ApiError('invalid_body', 'The Transfer-Encoding must be chunked.');
  }
  const maxBytes = bodyMaxBytesOf(request);
  if ((declaredBytes(headers) ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  if (!policy.ignoresUnknownQuery) assertQueryIsWelcome(request, policy);
}

function assertContentType(request: FastifyRequest, policy: RoutePolicyOptions): void {
  const { raw } = request;
  const { takesJson, takesMultipart, isBodyOptional, files } = policy;
  if (!takesJson && !takesMultipart) return;
  assertNotCompressed(raw);
  const [type, ...more] = contentTypes(raw);
  if (isBodyOptional && type === undefined && !hasBody(raw.headers)) return;
  if (more.length === 0 && takesJson && JSON_TYPE.test(type ?? '')) return;
  if (takesMultipart && multipartBoundary(raw) !== null) return;
  if (more.length === 0 && fileTypeOf(request) !== null) return;
  const multipart = 'multipart/form-data with a boundary, and images as files';
  const welcome = [
    ...(takesMultipart ? [multipart] : []),
    ...(takesJson ? ['application/json'] : []),
    ...Object.keys(files),
  ].join(', or ');
  throw new ApiError('invalid_content_type', `The Content-Type must be ${welcome}.`);
}

/** A compressed body would be answered as invalid JSON, which does not name the mistake. */
function assertNotCompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? '';
  if (/^(?:identity)?$/i.test(encoding)) return;
  const message = `The body must not be compressed: leave out the Content-Encoding (${shownParam(encoding)}).`;
  throw new ApiError('invalid_content_type', message, { param: 'Content-Encoding' });
}

/** The boundary of a multipart body; null for a body of another type. */
export function multipartBoundary(message: IncomingMessage): string | null {
  const [type = '', ...more] = contentTypes(message);
  return more.length > 0 ? null : (MULTIPART_TYPE.exec(type)?.[2] ?? null);
}

/** `headers` keeps only the first of several Content-Type headers. */
function contentTypes({ headersDistinct }: IncomingMessage): readonly string[] {
  return headersDistinct['content-type'] ?? [];
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
