import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that nobody uses do not keep a server from ending. Those that were used before Node lets go by itself. */
export class UnusedConnections {
  private readonly open = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Balancers and browsers connect ahead of need; Node takes such a connection for one whose first request is on its way. */
  close(): void {
    for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
  }
}
