import type { Socket } from 'node:net';
import { ApiError } from '@kinora/contracts/shared/errors';
import { toEnvelope } from './error-envelope';
import { newRequestId } from './request-id';

/** Answers what is no HTTP request, for which there is neither a request nor a response object, and hangs up. */
export function answerMalformedRequest(failure: Error & { code?: string }, socket: Socket): void {
  if (failure.code !== 'ECONNRESET' && socket.writable) socket.write(toResponse(toApiError(failure.code)));
  socket.destroySoon();
}

function toApiError(code: string | undefined): ApiError {
  if (code === 'HPE_INVALID_METHOD') return new ApiError('not_found', 'There is no such endpoint.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('invalid_body', 'The request took too long to arrive.');
  return new ApiError('invalid_body', 'The request is not well-formed HTTP.');
}

function toResponse(error: ApiError): string {
  const requestId = newRequestId();
  const body = JSON.stringify(toEnvelope(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${error.status === 404 ? 'Not Found' : 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
