import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Long enough for a client to notice the response while it sends, and the longest that it may hold the connection with
 * unread bytes.
 */
export const LINGER_MS = 5_000;

/**
 * Closes a connection whose response is its last one without a reset: incoming data is discarded until the client has read the
 * response and closes, for `withinMs` at most. Closing a socket with unread data sends a reset, and many clients then report the
 * reset instead of the response.
 */
export function closeAfterClient(socket: Socket, withinMs: number): void {
  // Node calls `destroySoon` after it has written the response.
  socket.destroySoon = () => {
    Reflect.deleteProperty(socket, 'destroySoon');
    socket.end();
    // Node's parser would otherwise make a request of all that follows, and keep each until the connection closes. It is detached
    // only after `resume` has taken effect, because its listeners restart a connection that an unread body has paused.
    socket.resume();
    setImmediate(() => socket.removeAllListeners('data').on('data', discard));
    const timeout = setTimeout(() => socket.destroy(), withinMs).unref();
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timeout));
  };
}

function discard(): void {}

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
