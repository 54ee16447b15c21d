import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/**
 * Whether the proxy drops both connections of this request after it has passed it on, or only that of the client, so that the
 * server never learns of the hang-up. `answer`: drops the client after the server has sent its whole answer.
 */
type Cuts = (headers: IncomingMessage['headers']) => boolean | 'client' | 'answer';

/**
 * An HTTP proxy in front of one server that drops connections of a request after its last byte was sent, as a broken network does.
 * The client gets no answer.
 */
export class CuttingProxy {
  /** How many requests were dropped. */
  cutCount = 0;
  /** Decides for each request; none is dropped at first. */
  cuts: Cuts = () => false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async start(targetUrl: string): Promise<CuttingProxy> {
    const server = createServer();
    const proxy = new CuttingProxy(server, new URL(targetUrl));
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => proxy.pass(incoming, outgoing));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url, headers } = incoming;
    const { hostname, port } = this.target;
    const cut = this.cuts(headers);
    const passed = request({ hostname, port, method, path: url, headers, agent: false });
    passed.on('error', () => outgoing.destroy());
    passed.on('response', (response) => {
      if (outgoing.destroyed) return void response.resume();
      if (cut === 'answer') return this.loseAnswer(response, outgoing);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
      response.on('error', () => outgoing.destroy());
    });
    if (cut !== 'client') outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
    // Emitted when the last byte has been handed to the operating system.
    passed.on('finish', () => {
      if (cut === false || cut === 'answer') return;
      this.cutCount += 1;
      // The kernel sends what was written before the end of the connection.
      if (cut !== 'client') passed.socket?.end();
      outgoing.destroy();
    });
  }

  private loseAnswer(response: IncomingMessage, outgoing: ServerResponse): void {
    this.cutCount += 1;
    response.resume().on('close', () => outgoing.destroy());
  }
}
