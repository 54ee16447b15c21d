import { connect } from 'node:net';
import { waitFor } from '@kinora/testing';
import { useGateway } from '../../test/gateway.fixtures';

const testBed = useGateway();
const { client } = testBed;

describe('a malformed request', () => {
  it.each([
    ['in one piece', [`GET /v1/jobs?cursor=${'x'.repeat(17_000)}`, ' HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['to another path', [`PUT /openai/v1/${'x'.repeat(100_000)}`, ' HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['after another request', [`GET /v1/ping HTTP/1.1\r\nHost: x\r\n\r\nGET /${'x'.repeat(17_000)}`, '']],
    ['in pieces', [`GET /v1/jobs?cursor=${'x'.repeat(10_000)}`, 'x'.repeat(7_000)]],
  ])('is 414 in the envelope for a URL over 16 KiB: %s', async (_name, [first = '', rest = '']) => {
    const socket = connect(testBed.gateway.port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    let answer = '';
    socket.on('data', (chunk: string) => (answer += chunk));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    // Where the gateway is slow, both pieces arrive as one: the answer is the same.
    socket.write(first, () => socket.end(rest));
    await closed;
    const { error } = JSON.parse(answer.slice(answer.indexOf('{"error"'))) as { error: { message: string } };
    expect(answer).toMatch(/HTTP\/1\.1 414 URI Too Long\r\n[^]*X-Request-Id: req_/);
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_query' });
    expect(error.message).toContain('16384 bytes');
  });

  it('is never answered inside a response that is being sent', async () => {
    const { objects, signer, port, connections } = testBed.gateway;
    // More than the socket buffers hold while the client does not read.
    await objects.put('outputs/large.png', Buffer.alloc(30_000_000, '.'), { mime: 'image/png' });
    const link = signer.sign('outputs/large.png', new Date(Date.now() + 60_000)).replace('http://gateway.test', '');
    const isNobodyConnected = (): Promise<boolean> => connections().then((count) => count === 0);
    await waitFor(isNobodyConnected);
    const socket = connect(port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let answer = '';
    socket.setEncoding('latin1').once('data', () => socket.pause());
    socket.on('data', (chunk: string) => (answer += chunk)).on('error', () => undefined);
    socket.write(`GET ${link} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await waitFor(() => answer !== '');
    socket.write('no request\r\n\r\n');
    await waitFor(isNobodyConnected);
    socket.resume();
    await closed;
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(answer.length).toBeLessThan(30_000_000);
  });

  it('does not affect other connections', async () => {
    await client.sendRaw('\0'.repeat(100));
    expect((await client.sendBare('GET', '/v1/ping')).status).toBe(200);
  });
});
