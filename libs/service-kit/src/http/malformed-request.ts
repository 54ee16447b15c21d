import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '@kinora/contracts/shared/errors';

/** The largest head of a request: its URL and its headers. */
export const MAX_HEAD_BYTES = 16 * 1024;

/** Node's code for a head that has not arrived in time. */
const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';
/** Load balancers close a connection that they opened in advance before, after 60 s. */
const SILENT_MS = 65_000;

/** What Node reports of bytes that it cannot parse: the chunk that has arrived last, and how much of it was parsed. */
type ParseFailure = Error & { code?: string; rawPacket?: unknown; bytesParsed?: number };

export type MalformedRequestHandler = (failure: ParseFailure, socket: Socket) => void;

/** A URL beyond the limit of a request head, the one error whose status is not that of its type. */
class UrlTooLong extends ApiError {
  constructor() {
    super('invalid_query', `The URL is too long: with the headers it must be at most ${MAX_HEAD_BYTES} bytes long.`);
  }

  override get status(): number {
    return 414;
  }
}

/**
 * Answers malformed HTTP, for which Node creates neither a request nor a response object, and closes the connection.
 * @param toRawResponse makes the whole response of an error: status line, headers and body
 * @param silentMs how long a connection may send nothing after the time for a head
 */
export function malformedRequestHandler(
  toRawResponse: (error: ApiError, socket: Socket) => string,
  silentMs = SILENT_MS,
): MalformedRequestHandler {
  const hungUp = new WeakSet<Socket>();
  const answer = (failure: ParseFailure, socket: Socket): void => {
    const response = currentResponse(socket);
    // An earlier request is complete and its response comes first: the client would take this one for it.
    if (response && isToCome(response)) return void response.once('close', () => answer(failure, socket));
    // A response is partly sent: a second one would become part of its body.
    if (response?.headersSent) return void socket.destroy();
    if (failure.code !== 'ECONNRESET' && socket.writable) socket.write(toRawResponse(toApiError(failure), socket));
    socket.destroySoon();
  };
  return (failure, socket) => {
    // Further bytes on this connection fail to parse too, but are no request of their own.
    if (hungUp.has(socket)) return;
    // A client would take a response now for the one to the request that it sends at this moment. After a stall of the event loop Node
    // looks for timeouts even before it reads what has arrived.
    if (failure.code === REQUEST_TIMEOUT && socket.bytesRead === 0) return closeIfSilent(socket, silentMs);
    hungUp.add(socket);
    answer(failure, socket);
  };
}

function closeIfSilent(socket: Socket, afterMs: number): void {
  const timer = setTimeout(() => {
    if (socket.bytesRead === 0) socket.destroy();
  }, afterMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Routes the requests that Node would answer itself, without the error envelope and without any header of the application. */
export function handleEveryRequest(server: Server, answerMalformed: MalformedRequestHandler): void {
  // Node would answer an unknown expectation by 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Node would close a CONNECT request without a response.
  server.on('connect', (_request, socket: Socket) => {
    // Node has removed its error listener here. Without one, a client that disconnects now would crash the process.
    socket.on('error', () => undefined);
    answerMalformed(Object.assign(new Error('CONNECT is not supported.'), { code: 'HPE_INVALID_METHOD' }), socket);
  });
}

/** Whether a response will end by itself soon. A response that the client reads slowly is not waited for. */
function isToCome({ req, headersSent, writableEnded }: ServerResponse): boolean {
  return req.complete && (!headersSent || writableEnded);
}

/**
 * The response that the next bytes on the connection belong to. Node exposes it only in this internal field, and uses the
 * same field itself.
 */
function currentResponse(socket: Socket & { _httpMessage?: ServerResponse | null }): ServerResponse | null {
  return socket._httpMessage ?? null;
}

function toApiError(failure: ParseFailure): ApiError {
  const { code } = failure;
  if (code === 'HPE_HEADER_OVERFLOW') return endsInUrl(failure) ? new UrlTooLong() : headersTooLong();
  if (code === 'HPE_INVALID_METHOD') return new ApiError('not_found', 'There is no such endpoint.');
  if (code === REQUEST_TIMEOUT) return new ApiError('invalid_body', 'The request took too long to arrive.');
  return new ApiError('invalid_body', 'The request is not well-formed HTTP.');
}

function headersTooLong(): ApiError {
  return new ApiError('invalid_body', `The URL and the headers must be at most ${MAX_HEAD_BYTES} bytes long together.`);
}

/**
 * Whether the parsed bytes end within the URL. The line may have begun in an earlier chunk, which Node does not keep: text without
 * any space is then taken for a URL, because most headers of this length have spaces.
 */
function endsInUrl({ rawPacket, bytesParsed = 0 }: ParseFailure): boolean {
  if (!Buffer.isBuffer(rawPacket)) return false;
  const parsed = rawPacket.toString('latin1', 0, bytesParsed);
  const lineAt = parsed.lastIndexOf('\n') + 1;
  return (lineAt === 0 ? /^(?:[A-Z]+ )?\S*$/ : /^[A-Z]+ \S*$/).test(parsed.slice(lineAt));
}

/** Whether a part of a URL is percent-encoded UTF-8. */
export function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Requires exactly one Host header on every request (RFC 9112, 3.2). Node would answer a missing one without the
 * envelope, and uses the first of several.
 * @throws ApiError invalid_body
 */
export function assertOneHost({ headersDistinct, httpVersion }: IncomingMessage): void {
  const hosts = headersDistinct.host ?? [];
  if (hosts.length === 1 || (hosts.length === 0 && httpVersion === '1.0')) return;
  throw new ApiError('invalid_body', 'The request must have one Host header.');
}
