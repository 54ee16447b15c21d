import { once } from 'node:events';
import { createServer } from 'node:net';
import { waitFor } from '@kinora/testing';
import { RawConnection } from '../support/raw-http';
import { TcpProxy } from './tcp-proxy';

describe('a proxy between two programs', () => {
  it.each([
    ['delays without a change of order', { kind: 'delay', ms: 20 }, '012', false],
    ['loses what the server answers', { kind: 'lose_answers' }, '', false],
    ['resets after some bytes', { kind: 'reset_after', bytes: 2 }, '01', true],
  ] as const)('%s', async (_, fault, received, isClosed) => {
    const server = createServer((socket) =>
      socket.on('error', () => undefined).on('data', (bytes) => socket.write(bytes)),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = await TcpProxy.start((server.address() as { port: number }).port);
    const connection = await RawConnection.open(proxy.port);
    connection.write('-');
    await waitFor(() => connection.text === '-');
    proxy.begin(fault);
    for (const text of ['0', '1', '2']) connection.write(text);
    if (isClosed) await connection.closed(5_000);
    proxy.heal();
    if (fault.kind === 'lose_answers') await connection.closed(5_000);
    await waitFor(() => connection.text === `-${received}`);
    await proxy.close();
    server.close();
  });
});
