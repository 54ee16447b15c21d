import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RateDecision } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { toRawResponse } from './raw-response';

/** The bucket of a client address, as it is without taking from it. */
export type PeekAddress = (address: string) => RateDecision;

/** Answers what is no HTTP request, for which there is neither a request nor a response object, and hangs up. */
export function malformedRequestHandler(
  peekAddress: PeekAddress,
): (failure: Error & { code?: string }, socket: Socket) => void {
  const hungUp = new WeakSet<Socket>();
  const answer = (code: string | undefined, socket: Socket): void => {
    const response = currentResponse(socket);
    // An earlier request is whole and still has its own answer to come, for which this one would be taken.
    if (response && isToCome(response)) return void response.once('close', () => answer(code, socket));
    // In the middle of a response that is under way, another would be taken for its bytes.
    if (response?.headersSent) return void socket.destroy();
    const rate = peekAddress(socket.remoteAddress ?? '');
    if (code !== 'ECONNRESET' && socket.writable) socket.write(toRawResponse(toApiError(code), rate));
    socket.destroySoon();
  };
  return ({ code }, socket) => {
    // Whatever still comes on the connection fails as well, and is no request of its own.
    if (hungUp.has(socket)) return;
    hungUp.add(socket);
    answer(code, socket);
  };
}

/** Whether a response will soon be over by itself; one that is being read slowly is not waited for. */
function isToCome({ req, headersSent, writableEnded }: ServerResponse): boolean {
  return req.complete && (!headersSent || writableEnded);
}

/** The response that the connection's next bytes belong to. Node tells it nowhere else, and decides by it too. */
function currentResponse(socket: Socket & { _httpMessage?: ServerResponse | null }): ServerResponse | null {
  return socket._httpMessage ?? null;
}

function toApiError(code: string | undefined): ApiError {
  if (code === 'HPE_INVALID_METHOD') return new ApiError('not_found', 'There is no such endpoint.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('invalid_body', 'The request took too long to arrive.');
  return new ApiError('invalid_body', 'The request is not well-formed HTTP.');
}
