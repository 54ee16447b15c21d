import { type Server, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Adds an API key to each request, for programs that send none. */
export class KeyedProxy {
  private constructor(
    private readonly server: Server,
    readonly url: URL,
  ) {}

  static async start(target: URL, apiKey: string): Promise<KeyedProxy> {
    const server = createServer((request, response) => {
      const { method, headers } = request;
      const sent = send(target, { method, headers: { ...headers, authorization: `Bearer ${apiKey}` } }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      sent.on('error', () => response.destroy());
      request.pipe(sent);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new KeyedProxy(server, new URL(target.pathname, `http://127.0.0.1:${port}`));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
