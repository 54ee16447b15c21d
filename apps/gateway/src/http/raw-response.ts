import { STATUS_CODES } from 'node:http';
import type { RateDecision } from '@kinora/contracts/billing/billing.rpc';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { toEnvelope } from './error-envelope';
import { newRequestId } from './request-id';

/** An error as raw bytes, for a connection without a request or response object. */
export function toRawResponse(error: ApiError, rate: RateDecision): string {
  const requestId = newRequestId();
  const body = JSON.stringify(toEnvelope(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `RateLimit-Limit: ${rate.limit}`,
    `RateLimit-Remaining: ${rate.remaining}`,
    ...(error.retryAfterSeconds === undefined ? [] : [`Retry-After: ${error.retryAfterSeconds}`]),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
