import { Pool } from 'undici';
import { RawClient } from './raw-client';

const ADDRESS = '127.0.0.3';

/** A request as one sends it: JSON, or a form with its own headers. */
export interface SentBody {
  bytes: string | Buffer;
  contentType: string;
}

/** Sends requests with one valid key. */
export class KeySender {
  private readonly raw: RawClient;
  private readonly pool: Pool;
  private readonly pathname: string;

  constructor(
    baseUrl: string,
    private readonly apiKey: string,
  ) {
    const { origin, pathname } = new URL(baseUrl);
    this.pathname = pathname;
    this.raw = new RawClient(baseUrl, ADDRESS);
    this.pool = new Pool(origin, { connections: 32, connect: { localAddress: ADDRESS } });
  }

  get(path: string): Promise<string> {
    return this.send('GET', path);
  }

  /** @param hangUpMs the client closes its connection after this time. */
  async post(path: string, { bytes, contentType }: SentBody, hangUpMs?: number): Promise<string> {
    return this.send('POST', path, { body: bytes, contentType, hangUpMs });
  }

  /** Begins a request with more headers and these bytes of its body. */
  begin(path: string, headers: string[], bytes: string, goOn?: { bytes: string; everyMs: number }): Promise<string> {
    const head = [`POST ${this.pathname}${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${this.apiKey}`];
    return this.raw.send([...head, ...headers, '', ''].join('\r\n') + bytes, goOn);
  }

  private async send(
    method: 'GET' | 'POST',
    path: string,
    sent?: { body: string | Buffer; contentType: string; hangUpMs: number | undefined },
  ): Promise<string> {
    const headers = {
      authorization: `Bearer ${this.apiKey}`,
      ...(sent && { 'content-type': sent.contentType }),
    };
    const hangUp = sent?.hangUpMs === undefined ? null : AbortSignal.timeout(sent.hangUpMs);
    try {
      const { statusCode, body } = await this.pool.request({
        ...{ method, path: this.pathname + path, headers, body: sent?.body ?? null, signal: hangUp },
      });
      await body.dump();
      return String(statusCode);
    } catch (error) {
      if (hangUp?.aborted) return 'hung up';
      throw error;
    }
  }
}
