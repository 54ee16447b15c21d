import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ForwardingProxy } from './forwarding-proxy';

/**
 * What happens to a request. `drop`, `truncate`, `slow`, `page` and `swallow` pass it on, so that the service acts on it: the
 * connection breaks after its last byte, its answer is cut in half, arrives in small pieces, is replaced by an HTML 502, or never
 * comes. `limit` and `busy` answer 429 and 503 instead of the service.
 */
export type Fault = 'none' | 'drop' | 'truncate' | 'slow' | 'page' | 'swallow' | 'limit' | 'busy';

const PIECE_BYTES = 256;
const PIECE_INTERVAL_MS = 2;

/** An HTTP proxy in front of one server that does to a request what a broken network or another proxy may do. */
export class FaultyProxy extends ForwardingProxy {
  choose: (request: IncomingMessage) => Fault = () => 'none';
  readonly counts: Partial<Record<Fault, number>> = {};

  static start(targetUrl: string): Promise<FaultyProxy> {
    return new FaultyProxy(new URL(targetUrl)).listen();
  }

  protected override pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const fault = this.choose(incoming);
    const count = (): number => (this.counts[fault] = (this.counts[fault] ?? 0) + 1);
    if (fault === 'limit' || fault === 'busy') {
      count();
      incoming.resume();
      return void refuse(outgoing, fault);
    }
    const passed = this.forward(incoming, outgoing, (response) => {
      if (fault === 'none') return this.answer(response, outgoing);
      const answer = (body: Buffer): void => {
        count();
        if (fault === 'swallow') return;
        if (fault === 'drop') return void outgoing.destroy();
        if (fault === 'page') return void sendPage(outgoing);
        outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, 'content-length': body.length });
        if (fault === 'truncate')
          outgoing.write(body.subarray(0, body.length / 2), () => setImmediate(() => outgoing.destroy()));
        else sendSlowly(outgoing, body);
      };
      // A client that leaves ends the answer of the service too.
      buffer(response).then(answer, () => outgoing.destroy());
    });
    outgoing.on('close', () => passed.destroy());
  }
}

function refuse(outgoing: ServerResponse, fault: 'limit' | 'busy'): void {
  const [status, type, code] =
    fault === 'limit'
      ? ([429, 'rate_limit_error', 'rate_limited'] as const)
      : ([503, 'capacity_error', 'capacity'] as const);
  outgoing.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
  outgoing.end(JSON.stringify({ error: { type, code, message: 'Later.', request_id: 'req_0' } }));
}

function sendPage(outgoing: ServerResponse): void {
  outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');
}

function sendSlowly(outgoing: ServerResponse, body: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => {
    outgoing.write(body.subarray(sent, (sent += PIECE_BYTES)));
    if (sent < body.length && !outgoing.destroyed) return;
    clearInterval(timer);
    outgoing.end();
  }, PIECE_INTERVAL_MS);
}
