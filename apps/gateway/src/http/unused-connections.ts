import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections that never carried a request, which would delay the shutdown of the server. Node itself closes idle
 * connections that were used before.
 */
export class UnusedConnections {
  private readonly open = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Load balancers and browsers connect ahead of need. Node waits for the first request of such a connection. */
  close(): void {
    for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
  }
}
