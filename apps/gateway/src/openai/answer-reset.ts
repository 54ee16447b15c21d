import type { Socket } from 'node:net';

/** Long enough for a client that has stopped to read to give up; later resets are those of idle connections. */
const WATCHED_MS = 30_000;

const watches = new WeakMap<Socket, () => void>();

/**
 * Calls back if the client resets its connection soon after the last byte of an answer was handed to the kernel: a client that
 * closes before it has read everything sends a reset, and one that has read everything does not. Up to some megabytes of an answer
 * may wait in the kernels and in a proxy. A further request on the connection shows that the answer was read.
 */
export function onAnswerReset(socket: Socket, callback: () => void): void {
  const { bytesRead } = socket;
  watches.get(socket)?.();
  const stop = (): void => {
    clearTimeout(timeout);
    socket.off('close', onClose);
  };
  const onClose = (hasFailed: boolean): void => {
    stop();
    if (hasFailed && socket.bytesRead === bytesRead) callback();
  };
  const timeout = setTimeout(stop, WATCHED_MS).unref();
  socket.once('close', onClose);
  watches.set(socket, stop);
}

/**
 * Keeps a connection that closes after its answer until the client has closed it, too: a reset would not be seen otherwise. A
 * process that stops waits for none.
 */
export function closeAfterClient(socket: Socket, isStopping: () => boolean): void {
  // Node calls `destroySoon` after it has written the last response.
  socket.destroySoon = () => {
    Reflect.deleteProperty(socket, 'destroySoon');
    if (isStopping()) return socket.destroySoon();
    socket.end();
    const timeout = setTimeout(() => socket.destroy(), WATCHED_MS).unref();
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timeout));
  };
}
