import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { waitFor } from '@kinora/testing';
import { closeAfterClient } from './closing-connections';

const REQUEST = 'GET / HTTP/1.1\r\nHost: gateway.test\r\n\r\n';
const UPLOAD = 'POST / HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 10\r\n\r\n';

describe('a connection that closes after its client', () => {
  let server: Server;
  let requests: number;
  let withinMs: number;
  let client: Socket;
  let connection: Socket;

  beforeEach(async () => {
    [requests, withinMs] = [0, 60_000];
    server = createServer((request, response) => {
      requests += 1;
      connection = request.socket;
      closeAfterClient(connection, withinMs);
      response.setHeader('Connection', 'close').end('answer');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  const answered = async (request: string): Promise<void> => {
    client.write(request);
    await once(client.resume(), 'end');
  };

  it.each([
    ['whose request is complete', REQUEST],
    ['whose body is still being sent', UPLOAD],
  ])('reads what its client sends, and serves no further request, %s', async (_, request) => {
    await answered(request);
    const { bytesRead } = connection;
    client.write(REQUEST.repeat(1_000));
    await waitFor(() => connection.bytesRead - bytesRead === 1_000 * REQUEST.length);
    expect([requests, connection.destroyed]).toEqual([1, false]);
    client.end();
    await waitFor(() => connection.destroyed);
  });

  it('closes after the given time, whatever its client does', async () => {
    withinMs = 50;
    await answered(REQUEST);
    await waitFor(() => connection.destroyed);
  });
});
