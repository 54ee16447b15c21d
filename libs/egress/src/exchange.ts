import { type buildConnector, Client, type Dispatcher } from 'undici';

/** One shared error: Node formats the stack of the error that a stream is destroyed with, which takes time. */
const OVER = new Error('The exchange is over.');

/** Limit of the status line and headers together; more is an invalid response. */
const MAX_HEADER_BYTES = 16 * 1024;

export interface Exchange {
  response: Dispatcher.ResponseData;
  /** Closes the connection at any point of the answer. */
  end: () => Promise<void>;
}

export interface ExchangeRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
}

/** Sends a request over a connection of its own, and resolves when the headers of the answer have arrived. */
export async function beginExchange(
  url: URL,
  { method, headers, body }: ExchangeRequest,
  { connect, signal }: { connect: buildConnector.connector; signal: AbortSignal },
): Promise<Exchange> {
  // The signal is the only deadline: the client's own timeouts restart with each byte that arrives.
  const client = new Client(url.origin, {
    connect,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const end = (): Promise<void> => client.destroy(OVER);
  try {
    const path = url.pathname + url.search;
    const response = await client.request({ path, method, headers, body: body ?? null, signal });
    return { response, end };
  } catch (error) {
    await end();
    throw error;
  }
}
