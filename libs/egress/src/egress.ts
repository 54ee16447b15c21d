import { Client, type Dispatcher } from 'undici';
import type { EgressAllowList } from './allow-list';
import { EgressError, toEgressError } from './egress-error';
import { pinnedConnector } from './pinned-connector';
import { resolveAddresses } from './resolve-addresses';
import { findUrlProblem } from './url-policy';

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
}

export interface EgressResponse {
  status: number;
  body: Buffer;
  /** Whether the body is whole; otherwise it was too long, ended by the peer, or not there by the deadline. */
  bodyEnd: 'complete' | 'too_long' | 'cut_off' | 'timed_out';
}

/**
 * Sends requests to addresses that clients named. Each request has a connection of its own, to an address that was judged;
 * redirects are answers like any other, proxies and cookies do not exist.
 */
export class Egress {
  constructor(private readonly options: EgressOptions) {}

  /** @throws EgressError when there was no answer. */
  async send(request: EgressRequest): Promise<EgressResponse> {
    const { allow, nameServers, authority } = this.options;
    if (findUrlProblem(request.url, allow) !== null) throw new EgressError('blocked_address');
    const url = new URL(request.url);
    const signal = AbortSignal.timeout(request.timeoutMs);
    try {
      const addresses = await resolveAddresses(url, { allow, nameServers, signal });
      const connect = pinnedConnector(url, { addresses, signal, authority });
      return await exchange(url, request, connect, signal);
    } catch (error) {
      throw toEgressError(error, signal);
    }
  }
}

async function exchange(
  url: URL,
  { method, headers, body, maxResponseBytes }: EgressRequest,
  connect: ReturnType<typeof pinnedConnector>,
  signal: AbortSignal,
): Promise<EgressResponse> {
  const client = new Client(url.origin, { connect });
  try {
    const path = url.pathname + url.search;
    const response = await client.request({ path, method, headers, body: body ?? null, signal });
    const answer = await readBody(response.body, maxResponseBytes, signal);
    const isTooLong = Number(response.headers['content-length']) > maxResponseBytes;
    // Whoever announces too much and hangs up is no less too long for it.
    const bodyEnd = answer.bodyEnd === 'cut_off' && isTooLong ? 'too_long' : answer.bodyEnd;
    return { status: response.statusCode, body: answer.body, bodyEnd };
  } finally {
    await client.destroy();
  }
}

/** A status that arrived stands, whatever happens to the body behind it. */
async function readBody(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
  signal: AbortSignal,
): Promise<Pick<EgressResponse, 'body' | 'bodyEnd'>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const read = (bodyEnd: EgressResponse['bodyEnd']) => ({ body: Buffer.concat(chunks).subarray(0, maxBytes), bodyEnd });
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) return read('too_long');
    }
    return read('complete');
  } catch {
    return read(signal.aborted ? 'timed_out' : 'cut_off');
  }
}
