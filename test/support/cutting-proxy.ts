import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Whether the proxy drops this request after it has passed it on. */
type Cuts = (headers: IncomingMessage['headers']) => boolean;

/**
 * An HTTP proxy in front of one server that drops both connections of a request after its last byte was sent, as a broken network
 * does. Neither side gets an answer.
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
    const isCut = this.cuts(headers);
    const passed = request({ hostname, port, method, path: url, headers, agent: false });
    passed.on('error', () => outgoing.destroy());
    passed.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
      response.on('error', () => outgoing.destroy());
    });
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
    // Emitted when the last byte has been handed to the operating system.
    passed.on('finish', () => {
      if (!isCut) return;
      this.cutCount += 1;
      // The kernel sends what was written before the end of the connection.
      passed.socket?.end();
      outgoing.destroy();
    });
  }
}
