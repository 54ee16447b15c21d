import type { Server } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { waitFor } from '@kinora/testing';
import { createMcpHttpServer } from './mcp-http.server';

const PING = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

describe('the connections of one address', () => {
  const sockets: Socket[] = [];
  let server: Server;
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  async function serve(trustedProxies: string): Promise<void> {
    const serverFor = () => {
      throw new Error('no request has a key');
    };
    server = createMcpHttpServer({ serverFor, allowedOrigins: [], addressConnectionsMax: 2, trustedProxies });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  /** A client that keeps its connection open, and what it has received. */
  function open(): { answer: () => string; isClosed: () => boolean; leave: () => void } {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
    sockets.push(socket);
    let [answer, isClosed] = ['', false];
    socket.on('error', () => undefined).once('close', () => (isClosed = true));
    socket.on('data', (text: string) => (answer += text)).write(PING);
    return { answer: () => answer, isClosed: () => isClosed, leave: () => socket.destroy() };
  }
  const isServed = ({ answer }: { answer: () => string }) => answer().startsWith('HTTP/1.1 200 ');

  it('are limited: one more is answered 429, until another one closes', async () => {
    await serve('');
    const kept = [open(), open()] as const;
    await waitFor(() => kept.every(isServed));
    const refused = open();
    await waitFor(refused.isClosed);
    expect(refused.answer()).toMatch(
      /^HTTP\/1.1 429 Too Many Requests\r\n[^]*\r\nretry-after: 1\r\n[^]*\{"jsonrpc":"2.0","id":null,"error":\{"code":-32000,"message":"Too many connections/,
    );
    kept[0].leave();
    await waitFor(async () => {
      const next = open();
      await waitFor(() => next.answer() !== '' || next.isClosed());
      return isServed(next);
    });
  });

  it('have no limit for a trusted proxy', async () => {
    await serve('10.0.0.0/8, 127.0.0.1');
    const clients = [open(), open(), open(), open(), open()];
    await waitFor(() => clients.every(isServed));
  });
});
