import type { Socket } from 'node:net';

/** Long enough for a client that has stopped to read to give up; later resets are those of idle connections. */
export const RESET_WATCHED_MS = 30_000;

interface SentAnswer {
  bytesRead: number;
  sentAtMs: number;
  onReset: () => void;
}

/** The last answer of each connection. */
const answers = new WeakMap<Socket, SentAnswer>();

/**
 * Calls back if the client resets its connection soon after the last byte of an answer was handed to the kernel: a client that
 * closes before it has read everything sends a reset, and one that has read everything does not. Up to some megabytes of an answer
 * may wait in the kernels and in a proxy. A further request on the connection shows that the answer was read.
 */
export function onAnswerReset(socket: Socket, onReset: () => void): void {
  const isWatched = answers.has(socket);
  answers.set(socket, { bytesRead: socket.bytesRead, sentAtMs: performance.now(), onReset });
  // One listener a connection, however many requests it carries.
  if (!isWatched) socket.once('close', (hasFailed) => hasFailed && reportReset(socket));
}

function reportReset(socket: Socket): void {
  const last = answers.get(socket);
  if (last?.bytesRead === socket.bytesRead && performance.now() - last.sentAtMs < RESET_WATCHED_MS) last.onReset();
}
