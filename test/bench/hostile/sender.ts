import { connect } from 'node:net';
import { Pool } from 'undici';

/** Longer than every timeout of the service that these requests can reach. */
const GIVEN_UP_MS = 70_000;

/** A request as one sends it: JSON, or a form with its own headers. */
export interface SentBody {
  bytes: string | Buffer;
  contentType: string;
}

/** Bytes that follow at an interval, for as long as the connection is open. */
interface Trickle {
  bytes: string;
  everyMs: number;
}

/** Sends requests and arbitrary bytes from a source address of its own, so that limits by address hit no measured client. */
export class Sender {
  private readonly pool: Pool;
  private readonly url: URL;

  constructor(
    baseUrl: string,
    private readonly localAddress: string,
    private readonly apiKey = '',
  ) {
    this.url = new URL(baseUrl);
    this.pool = new Pool(this.url.origin, { connections: 32, localAddress });
  }

  get(path: string, apiKey = this.apiKey): Promise<string> {
    return this.request('GET', path, apiKey);
  }

  /** @param hangUpMs the client closes its connection after this time. */
  post(path: string, body: SentBody, hangUpMs?: number): Promise<string> {
    return this.request('POST', path, this.apiKey, body, hangUpMs);
  }

  /** Begins a request with more headers and these bytes of its body. */
  begin(path: string, headers: string[], bytes: string, trickle?: Trickle): Promise<string> {
    const head = [`POST ${this.url.pathname}${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${this.apiKey}`];
    return this.raw([...head, ...headers, '', ''].join('\r\n') + bytes, trickle);
  }

  /** Sends bytes, and waits until the server closes. @returns the status of its response. */
  raw(text: string, trickle?: Trickle): Promise<string> {
    return new Promise((resolve) => {
      const { hostname: host, port } = this.url;
      const socket = connect({ port: Number(port), host, localAddress: this.localAddress });
      let answer = '';
      const more = trickle && setInterval(() => socket.write(trickle.bytes), trickle.everyMs);
      const givenUp = setTimeout(() => socket.destroy(), GIVEN_UP_MS);
      socket.setEncoding('latin1').on('data', (part: string) => (answer = answer.slice(0, 12) + part));
      socket.on('error', () => undefined).once('end', () => socket.end());
      socket.once('close', () => {
        clearInterval(more);
        clearTimeout(givenUp);
        resolve(/^HTTP\/1.1 (\d{3})/.exec(answer)?.[1] ?? 'closed');
      });
      if (text !== '') socket.write(text, 'latin1');
    });
  }

  private async request(
    method: 'GET' | 'POST',
    path: string,
    apiKey: string,
    sent?: SentBody,
    hangUpMs?: number,
  ): Promise<string> {
    const type = sent && { 'content-type': sent.contentType };
    const headers = { authorization: `Bearer ${apiKey}`, ...type };
    const signal = hangUpMs === undefined ? null : AbortSignal.timeout(hangUpMs);
    const options = { method, path: this.url.pathname + path, headers, body: sent?.bytes ?? null, signal };
    try {
      const { statusCode, body } = await this.pool.request(options);
      await body.dump();
      return String(statusCode);
    } catch (error) {
      if (signal?.aborted) return 'hung up';
      throw error;
    }
  }
}
