import type { Readable } from 'node:stream';
import { type SpanShape, inSpan } from '@kinora/tracing';
import type { Dispatcher } from 'undici';
import type { EgressAllowList } from './allow-list';
import { DownloadBody } from './download-body';
import { EgressError, toEgressError } from './egress-error';
import { type Exchange, beginExchange } from './exchange';
import { pinnedConnector } from './pinned-connector';
import { resolveAddresses } from './resolve-addresses';
import { TlsMemory } from './tls-memory';
import { findUrlProblem, isHostAmong } from './url-policy';

export interface EgressOptions {
  allow: EgressAllowList;
  /** Other name servers than the machine's, as `address:port`. */
  nameServers?: string[];
  /** PEM of the one authority to trust instead of those that the process trusts, `NODE_EXTRA_CA_CERTS` among them. */
  authority?: string;
}

export interface EgressRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  /** For everything together: names, connection, handshake, answer. */
  timeoutMs: number;
  /** Of the answer's body; what lies beyond is not read. */
  maxResponseBytes: number;
  /** Is given the number of bytes of each piece of the answer's body, before it is kept; `send` throws what it throws. */
  charge?: (bytes: number) => void;
}

type RequestHead = Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body'>;

export interface EgressResponse {
  status: number;
  body: Buffer;
  /** Whether the body is whole; otherwise it was too long, ended by the peer, or not there by the deadline. */
  bodyEnd: 'complete' | 'too_long' | 'cut_off' | 'timed_out';
}

export interface EgressFetch {
  url: string;
  headers?: Record<string, string>;
  /** Until the last byte: names, connection, handshake, and the whole body however slowly it is read. */
  timeoutMs: number;
  /** Of the body. */
  maxBytes: number;
  /** If given, the only hosts there are for this URL: `files.example.com`, or `*.example.com` for all below it. */
  hosts?: readonly string[];
}

export interface EgressDownload {
  status: number;
  /** Names in lower case; what came several times is joined by commas. */
  headers: Readonly<Record<string, string>>;
  /** To be read to its end or destroyed. Fails with an EgressError: `too_large`, `timeout` or `connection_error`. */
  body: Readable;
}

/** Nothing of the address: clients put secrets into each part of one. */
const ASKING: SpanShape = { kind: 'client' };

/**
 * Sends requests to addresses that clients and providers named. Each request has a connection of its own, to an address
 * that was judged; redirects are answers like any other, proxies and cookies do not exist.
 */
export class Egress {
  private readonly tls: TlsMemory;

  constructor(private readonly options: EgressOptions) {
    this.tls = new TlsMemory(options.authority);
  }

  /** Sends, and reads a bounded answer. @throws EgressError when there was no answer. */
  async send(request: EgressRequest): Promise<EgressResponse> {
    const signal = AbortSignal.timeout(request.timeoutMs);
    const exchange = await this.begin(request, request.maxResponseBytes, signal);
    try {
      return await readAnswer(exchange.response, request, signal);
    } finally {
      await exchange.end();
    }
  }

  /** Gets a file as a stream, of any status. @throws EgressError when no answer began, or when it announces too much. */
  async fetch({ maxBytes, hosts, ...request }: EgressFetch): Promise<EgressDownload> {
    if (hosts && !isHostAmong(request.url, hosts)) throw new EgressError('blocked_address');
    const signal = AbortSignal.timeout(request.timeoutMs);
    // What is decoded here would have to be bounded twice: once as it arrives, and once as what it becomes.
    const headers = { ...request.headers, 'accept-encoding': 'identity' };
    const exchange = await this.begin({ ...request, method: 'GET', headers }, maxBytes, signal);
    const { statusCode: status, headers: received } = exchange.response;
    if (Number(received['content-length']) > maxBytes) {
      await exchange.end();
      throw new EgressError('too_large');
    }
    const body = new DownloadBody(readBounded(exchange.response.body, maxBytes, signal), exchange.end);
    return { status, headers: toPlainHeaders(received), body };
  }

  private begin(request: RequestHead, maxBytes: number, signal: AbortSignal): Promise<Exchange> {
    return inSpan('egress_request', ASKING, async (span) => {
      const exchange = await this.connect(request, maxBytes, signal);
      const { statusCode } = exchange.response;
      span.set({ 'http.request.method': request.method, 'http.response.status_code': statusCode });
      return exchange;
    });
  }

  private async connect(request: RequestHead, maxBytes: number, signal: AbortSignal): Promise<Exchange> {
    const { allow, nameServers } = this.options;
    if (findUrlProblem(request.url, allow) !== null) throw new EgressError('blocked_address');
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

/** A status that arrived stands, whatever happens to the body behind it. */
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
    // Whoever announces too much and hangs up is no less too long for it.
    if (failure === 'too_large' || Number(headers['content-length']) > maxBytes) return end('too_long');
    return end(failure === 'timeout' ? 'timed_out' : 'cut_off');
  }
}

/** @throws EgressError after as many bytes as there may be, or where the body does not end well. */
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
