import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RateDecision } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { toEnvelope } from './error-envelope';
import { newRequestId } from './request-id';

/** The bucket of a client address, as it is without taking from it. */
export type PeekAddress = (address: string) => RateDecision;

/** Answers what is no HTTP request, for which there is neither a request nor a response object, and hangs up. */
export function malformedRequestHandler(
  peekAddress: PeekAddress,
): (failure: Error & { code?: string }, socket: Socket) => void {
  return ({ code }, socket) => {
    if (isAnswering(socket)) return void socket.destroy();
    const rate = peekAddress(socket.remoteAddress ?? '');
    if (code !== 'ECONNRESET' && socket.writable) socket.write(toResponse(toApiError(code), rate));
    socket.destroySoon();
  };
}

/** Whether a response is under way, in the middle of which another would be taken for its bytes. */
function isAnswering(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  // Node tells it nowhere else, and decides by it too where it is left to answer by itself.
  return socket._httpMessage?.headersSent ?? false;
}

function toApiError(code: string | undefined): ApiError {
  if (code === 'HPE_INVALID_METHOD') return new ApiError('not_found', 'There is no such endpoint.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('invalid_body', 'The request took too long to arrive.');
  return new ApiError('invalid_body', 'The request is not well-formed HTTP.');
}

function toResponse(error: ApiError, rate: RateDecision): string {
  const requestId = newRequestId();
  const body = JSON.stringify(toEnvelope(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${error.status === 404 ? 'Not Found' : 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `RateLimit-Limit: ${rate.limit}`,
    `RateLimit-Remaining: ${rate.remaining}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
