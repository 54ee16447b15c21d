import { type Socket, connect } from 'node:net';
import { waitFor } from '@kinora/testing';
import { useConsole } from '../../test/console.fixtures';
import { CONTENT_SECURITY_POLICY } from './security-headers';

describe('the connections of one address', () => {
  const sockets: Socket[] = [];
  const bed = useConsole();
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  /** Keeps its connection open. @returns what it has received */
  function open(url: string): () => string {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    sockets.push(socket);
    let answer = '';
    socket.on('error', () => undefined);
    socket.on('data', (text: string) => (answer += text));
    socket.write('GET /admin/v1/session HTTP/1.1\r\nHost: x\r\n\r\n');
    return () => answer;
  }
  const isServed = (answer: () => string) => answer().startsWith('HTTP/1.1 200 ');

  it('are limited: one more is answered 429 with the headers of the console', async () => {
    const { url } = await bed.startConsole({ KINORA_CONSOLE_ADDRESS_CONNECTIONS_MAX: '2' });
    const kept = [open(url), open(url)];
    await waitFor(() => kept.every(isServed));
    const refused = open(url);
    await waitFor(() => refused().includes('"code":"rate_limited"'));
    expect(refused()).toMatch(/^HTTP\/1.1 429 Too Many Requests\r\n[^]*\r\nRetry-After: 1\r\n/);
    expect(refused()).toContain(CONTENT_SECURITY_POLICY);
  });

  it('have no limit for a trusted proxy', async () => {
    const settings = { KINORA_CONSOLE_ADDRESS_CONNECTIONS_MAX: '1', KINORA_CONSOLE_TRUSTED_PROXIES: '127.0.0.1' };
    const { url } = await bed.startConsole(settings);
    const clients = [open(url), open(url), open(url), open(url)];
    await waitFor(() => clients.every(isServed));
  });
});
