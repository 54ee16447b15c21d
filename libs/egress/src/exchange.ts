import { type buildConnector, Client, type Dispatcher } from 'undici';

/** One for all, since Node reads the stack of whatever a stream is destroyed with, and to write one down takes its time. */
const OVER = new Error('The exchange is over.');

/** What a server says of its answer, in all; more of it is an invalid response. */
const MAX_HEADER_BYTES = 16 * 1024;

export interface Exchange {
  response: Dispatcher.ResponseData;
  /** Closes the connection, wherever the answer is. */
  end: () => Promise<void>;
}

export interface ExchangeRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
}

/** Sends a request over a connection that nobody else uses, until the head of its answer is there. */
export async function beginExchange(
  url: URL,
  { method, headers, body }: ExchangeRequest,
  { connect, signal }: { connect: buildConnector.connector; signal: AbortSignal },
): Promise<Exchange> {
  // The signal is the one deadline: the client's own ones start anew with each byte that arrives.
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
