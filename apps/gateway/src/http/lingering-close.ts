import type { Socket } from 'node:net';

/** Enough to notice an answer while sending, and as long as a client may hold the connection with bytes that nobody wants. */
const LINGER_MS = 5_000;

/**
 * Makes a connection whose client is still sending end gently: what it sends is thrown away until it has seen the answer and hangs
 * up. Closed under arriving bytes, the connection would be reset, and many a client then reports the reset instead of the answer.
 */
export function closeLingering(socket: Socket): void {
  // Node calls this once the answer is written.
  socket.destroySoon = () => {
    socket.destroySoon = () => socket.destroy();
    socket.end();
    const timeout = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timeout));
  };
}
