import { connect } from 'node:net';

const ANSWER_WITHIN_MS = 2_000;

/** Whether a server greets: ours does not listen before JetStream has read its store. */
export function isNatsReady(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: ANSWER_WITHIN_MS });
    const settle = (ready: boolean): void => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('data', () => settle(true));
    for (const end of ['error', 'timeout', 'close']) socket.once(end, () => settle(false));
  });
}
