import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';

/**
 * A backend that accepts connections and never answers. One submission fills its only slot, so all other jobs stay queued, and
 * their dispatch takes no processor time from what is measured.
 */
export class FullBackend {
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      // A stack that ends resets its connections.
      socket.on('error', () => undefined).resume();
    });
  }

  static async start(): Promise<FullBackend> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new FullBackend(server);
  }

  /** The entry of providers.yaml. */
  get instance(): { id: string } & Record<string, unknown> {
    const { port } = this.server.address() as AddressInfo;
    return { id: 'full', type: 'openai-images', dialect: 'localai', url: `http://127.0.0.1:${port}`, concurrency: 1 };
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
