import { STATUS_CODES } from 'node:http';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { toEnvelope } from './error-envelope';
import { newRequestId } from './request-id';

/** An error as raw bytes, for a connection without a request or response object. */
export function toRawResponse(error: ApiError, headers: Record<string, string>): string {
  const requestId = newRequestId();
  const body = JSON.stringify(toEnvelope(error, requestId));
  const all = {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n');
}
