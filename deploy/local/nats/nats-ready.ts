import { connect } from 'node:net';

/** Whether the server greets: it does not listen before JetStream has read its store. */
export function isNatsReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
    const settle = (ready: boolean): void => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('data', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
