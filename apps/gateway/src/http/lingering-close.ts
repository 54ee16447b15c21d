import type { Socket } from 'node:net';

/**
 * Long enough for a client to notice the response while it sends, and the longest that it may hold the connection with
 * unread bytes.
 */
const LINGER_MS = 5_000;

/**
 * Closes a connection whose client is still sending without a reset: incoming data is discarded until the client has read
 * the response and closes. Closing a socket with unread data sends a reset, and many clients then report the reset
 * instead of the response.
 */
export function closeLingering(socket: Socket): void {
  // Node calls `destroySoon` after it has written the response.
  socket.destroySoon = () => {
    socket.destroySoon = () => socket.destroy();
    socket.end();
    const timeout = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timeout));
  };
}
