import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { parseUrl } from '@kinora/contracts/shared/texts';
import { type Clock, SYSTEM_CLOCK } from '@kinora/service-kit/without-nest';
import { inSpan, type SpanShape } from '@kinora/tracing';
import type { EgressAllowList } from './allow-list';
import { beginExchange, type Exchange } from './exchange';
import { pinnedConnector, TlsMemory } from './pinned-connector';
import { resolveAddresses } from './resolve-addresses';
import { EgressError, findUrlProblem, isHostAmong, toEgressError } from './url-policy';

/**
 * The body of a download. `Readable.from` waits for the next chunk before it closes; with a silent peer, the connection
 * of a destroyed stream would stay open until the deadline.
 */
export class DownloadBody extends Readable {
  constructor(
    private readonly chunks: AsyncIterator<Buffer>,
    private readonly endExchange: () => Promise<void>,
  ) {
    // One chunk ahead of the reader, of any size.
    super({ highWaterMark: 1 });
  }

  override _read(): void {
    this.chunks.next().then(
      ({ done, value }) => this.push(done ? null : value),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.endExchange().then(() => callback(error), callback);
  }
}

export interface EgressOptions {
  allow: EgressAllowList;
  /** Name servers to use instead of the machine's, as `address:port`. */
  nameServers?: string[];
  /** PEM of the one authority to trust. Replaces those that the process trusts, including `NODE_EXTRA_CA_CERTS`. */
  authority?: string;
  clock?: Clock;
}

export interface EgressRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  /** For everything together: name lookup, connection, handshake, answer. */
  timeoutMs: number;
  /** Of the answer's body; bytes beyond the limit are not read. */
  maxResponseBytes: number;
  /** For the answer's body alone, from the end of its headers, and within `timeoutMs`. */
  bodyTimeoutMs?: number;
  /**
   * Called with the number of bytes of each piece of the answer's body, before it is kept. `send` rejects with the
   * error that it throws.
   */
  charge?: (bytes: number) => void;
  /** How many redirects of a GET to follow, within the same deadline; none if left out. */
  maxRedirects?: number;
}

type RequestHead = Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body' | 'maxRedirects'> &
  Pick<EgressFetch, 'hosts'>;

export interface EgressResponse {
  status: number;
  body: Buffer;
  /** Whether the body is complete; otherwise it was too long, cut off by the peer, or incomplete at the deadline. */
  bodyEnd: 'complete' | 'too_long' | 'cut_off' | 'timed_out';
}

export interface EgressFetch {
  url: string;
  headers?: Record<string, string>;
  /** Until the last byte: name lookup, connection, handshake, and the whole body, even if it is read slowly. */
  timeoutMs: number;
  /** If given, until the headers of the answer: a host that does not answer is then given up before a slow one. */
  answerTimeoutMs?: number;
  /** Limit of the body. */
  maxBytes: number;
  /**
   * If given, the only permitted hosts for this URL: `files.example.com`, or `*.example.com` for all names below it.
   */
  hosts?: readonly string[];
  /** How many redirects to follow, within the same deadline; none if left out. */
  maxRedirects?: number;
}

export interface EgressDownload {
  status: number;
  /** Names in lower case; repeated headers are joined by commas. */
  headers: Readonly<Record<string, string>>;
  /** Must be read to its end or destroyed. Fails with an EgressError: `too_large`, `timeout` or `connection_error`. */
  body: Readable;
}

/** The span has no part of the URL: clients put secrets into every part of one. */
const CLIENT_SPAN: SpanShape = { kind: 'client' };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends requests to addresses that clients and providers named. Each request opens its own connection, to an address
 * that was checked. A redirect is returned like any other answer, unless the request permits redirects; then its target
 * is checked, resolved and pinned like the first URL. Proxies and cookies are not supported.
 */
export class Egress {
  private readonly tls: TlsMemory;
  private readonly clock: Clock;

  constructor(private readonly options: EgressOptions) {
    this.tls = new TlsMemory(options.authority);
    this.clock = options.clock ?? SYSTEM_CLOCK;
  }

  /** Sends, and reads a bounded answer. @throws EgressError if there is no answer. */
  async send(request: EgressRequest): Promise<EgressResponse> {
    const signal = this.clock.deadline(request.timeoutMs);
    const exchange = await this.begin(request, request.maxResponseBytes, signal);
    const { bodyTimeoutMs = request.timeoutMs } = request;
    const bodyDeadline = this.clock.deadline(bodyTimeoutMs);
    const cutOff = (): void => void exchange.response.body.destroy(new EgressError('timeout'));
    bodyDeadline.addEventListener('abort', cutOff);
    try {
      return await readAnswer(exchange.response, request, signal);
    } finally {
      bodyDeadline.removeEventListener('abort', cutOff);
      await exchange.end();
    }
  }

  /** Gets a file as a stream, of any status. @throws EgressError if no answer begins, or if it announces too much. */
  async fetch({ maxBytes, timeoutMs, answerTimeoutMs, ...request }: EgressFetch): Promise<EgressDownload> {
    const deadline = new AbortController();
    const { signal } = deadline;
    const giveUp = (): void => deadline.abort();
    this.clock.deadline(timeoutMs).addEventListener('abort', giveUp);
    const untilAnswer = this.clock.deadline(answerTimeoutMs ?? timeoutMs);
    untilAnswer.addEventListener('abort', giveUp);
    // A compressed body would need two limits: one for the bytes that arrive and one for the decompressed bytes.
    const headers = { ...request.headers, 'accept-encoding': 'identity' };
    const exchange = await this.begin({ ...request, method: 'GET', headers }, maxBytes, signal).finally(() =>
      untilAnswer.removeEventListener('abort', giveUp),
    );
    const { statusCode: status, headers: received } = exchange.response;
    if (Number(received['content-length']) > maxBytes) {
      await exchange.end();
      throw new EgressError('too_large');
    }
    const body = new DownloadBody(readBounded(exchange.response.body, maxBytes, signal), exchange.end);
    return { status, headers: toPlainHeaders(received), body };
  }

  private async begin(request: RequestHead, maxBytes: number, signal: AbortSignal): Promise<Exchange> {
    let { url } = request;
    for (let left = request.method === 'GET' ? (request.maxRedirects ?? 0) : 0; ; left -= 1) {
      const exchange = await this.beginOne({ ...request, url }, maxBytes, signal);
      const target = left > 0 ? redirectTarget(exchange.response, url) : null;
      if (target === null) return exchange;
      await exchange.end();
      url = target;
    }
  }

  private beginOne(request: RequestHead, maxBytes: number, signal: AbortSignal): Promise<Exchange> {
    return inSpan('egress_request', CLIENT_SPAN, async (span) => {
      const exchange = await this.connect(request, maxBytes, signal);
      const { statusCode } = exchange.response;
      span.set({ 'http.request.method': request.method, 'http.response.status_code': statusCode });
      return exchange;
    });
  }

  private async connect(request: RequestHead, maxBytes: number, signal: AbortSignal): Promise<Exchange> {
    const { allow, nameServers } = this.options;
    const isListed = !request.hosts || isHostAmong(request.url, request.hosts);
    if (!isListed || findUrlProblem(request.url, allow) !== null) throw new EgressError('blocked_address');
    const url = new URL(request.url);
    try {
      const addresses = await resolveAddresses(url, { allow, nameServers, signal });
      const connect = pinnedConnector(url, { addresses, signal, maxBytes, tls: this.tls });
      return await beginExchange(url, request, { connect, signal });
    } catch (error) {
      throw toEgressError(error, signal);
    }
  }
}

/** The absolute URL that an answer redirects to; null if it does not, or names no URL. */
function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData, from: string): string | null {
  const [location] = [headers['location']].flat();
  if (!REDIRECTS.has(statusCode) || location === undefined) return null;
  return parseUrl(location, from)?.href ?? null;
}

/** A status that arrived is returned even if the body behind it fails. */
async function readAnswer(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  { maxResponseBytes: maxBytes, charge }: EgressRequest,
  signal: AbortSignal,
): Promise<EgressResponse> {
  const chunks: Buffer[] = [];
  const end = (bodyEnd: EgressResponse['bodyEnd']): EgressResponse => ({
    status,
    body: Buffer.concat(chunks),
    bodyEnd,
  });
  try {
    for await (const chunk of readBounded(body, maxBytes, signal)) {
      charge?.(chunk.length);
      chunks.push(chunk);
    }
    return end('complete');
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const { failure } = error;
    // An answer that announces too much is too long, even if the peer hangs up before it is sent.
    if (failure === 'too_large' || Number(headers['content-length']) > maxBytes) return end('too_long');
    return end(failure === 'timeout' ? 'timed_out' : 'cut_off');
  }
}

/** @throws EgressError after `maxBytes`, or if the body does not end well. */
async function* readBounded(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let left = maxBytes;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const kept = chunk.subarray(0, left);
      if (kept.length > 0) yield kept;
      if (kept.length < chunk.length) throw new EgressError('too_large');
      left -= kept.length;
    }
  } catch (error) {
    throw toEgressError(error, signal);
  }
}

function toPlainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));
}
