import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Not `fetch`: its implementation takes longer to load than all probes of a start together. */
export async function httpGet(url: string, withinMs: number): Promise<{ isOk: boolean; body: string }> {
  const request = get(url, { agent: false, signal: AbortSignal.timeout(withinMs) });
  // Also after its response, the end of the time is an error of the request; the body's is the one that counts.
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { isOk: response.statusCode === 200, body: await text(response) };
}
