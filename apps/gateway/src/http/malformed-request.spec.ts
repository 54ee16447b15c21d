import { connect } from 'node:net';
import { waitFor } from '@kinora/testing';
import { useGateway } from '../../test/gateway.fixtures';
import { SERVED_APIS } from '../../test/http-client.fixtures';

const testBed = useGateway();
const { client } = testBed;

/** Every request head closes the connection, so the response is all that arrives. */
async function exchange(...lines: string[]): Promise<{ status: number; code: string }> {
  const answer = await client.sendRaw(`${lines.join('\r\n')}\r\n\r\n`);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const { error } = JSON.parse(body) as { error: { code: string; request_id?: string } };
  expect(head).toMatch(/\r\nratelimit-limit: 600\r\n/i);
  expect(head).toMatch(/\r\nratelimit-remaining: \d+\r\n/i);
  const requestId = /\r\nx-request-id: (?<id>req_\w+)\r\n/i.exec(head)?.groups?.['id'];
  expect(requestId).toBeDefined();
  // Errors of the OpenAI-compatible API have the id in the header alone.
  expect(error.request_id ?? requestId).toBe(requestId);
  return { status: Number(answer.split(' ')[1]), code: error.code };
}

const CLOSE = 'Connection: close';

describe('a malformed request', () => {
  it.each([
    ['two lengths', ['POST /v1/images/edits HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2']],
    ['a length and chunks', ['POST /v1/x HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    ['an invalid length', ['POST /v1/x HTTP/1.1', 'Host: x', 'Content-Length: -1']],
    ['a folded header', ['GET /v1/x HTTP/1.1', 'Host: x', ' folded']],
    ['a space before the colon', ['GET /v1/x HTTP/1.1', 'Host : x']],
    ['no host', ['GET /v1/ping HTTP/1.1', CLOSE]],
    ['no host on the way to nowhere', ['GET /v1/nothing HTTP/1.1', CLOSE]],
    ['two hosts', ['GET /v1/ping HTTP/1.1', 'Host: x', 'Host: y', CLOSE]],
    ['an invalid version', ['GET /v1/x HTTP/9.9', 'Host: x']],
    ['headers without end', ['GET /v1/x HTTP/1.1', 'Host: x', `X: ${'x'.repeat(17_000)}`]],
  ])('is answered with the envelope: %s', async (_name, lines) => {
    expect(await exchange(...lines)).toMatchObject({ status: 400, code: 'invalid_body' });
  });

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

  it('is 404 for a method that does not exist', async () => {
    expect(await exchange('BREW /v1/ping HTTP/1.1', 'Host: x')).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('is 404 for a tunnel, like any other method', async () => {
    expect(await exchange('CONNECT x:443 HTTP/1.1', 'Host: x:443')).toMatchObject({ status: 404, code: 'not_found' });
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

  it('is not answered before earlier requests of its connection', async () => {
    const ping = 'GET /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n';
    const answers = await client.sendRaw(`${ping}${ping}no request\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  it('does not affect other connections', async () => {
    await client.sendRaw('\0'.repeat(100));
    expect((await client.sendBare('GET', '/v1/ping')).status).toBe(200);
  });
});

describe.each(SERVED_APIS)('an unusual request, to $path', ({ path }) => {
  it.each([
    ['to a foreign host', [`GET ${path}/nothing HTTP/1.1`, 'Host: evil.example', CLOSE]],
    ['with an invalid host', [`GET ${path}/nothing HTTP/1.1`, 'Host: a b@c', CLOSE]],
    ['with an absolute address', [`GET http://evil.example${path}/nothing HTTP/1.1`, 'Host: x', CLOSE]],
    ['for the server itself', ['OPTIONS * HTTP/1.1', 'Host: x', CLOSE]],
    ['with an unknown expectation', [`GET ${path}/nothing HTTP/1.1`, 'Host: x', 'Expect: miracles', CLOSE]],
    ['that asks for another protocol', [`GET ${path}/nothing HTTP/1.1`, 'Host: x', 'Upgrade: h2c', CLOSE]],
    ['in HTTP/1.0', [`GET ${path}/nothing HTTP/1.0`]],
  ])('is routed like any other: %s', async (_name, lines) => {
    const { status, code } = await exchange(...lines);
    expect([status, code]).toEqual([404, 'not_found']);
  });

  it('finds an endpoint by an absolute address', async () => {
    const answer = await client.sendRaw(`GET http://x${path}/models HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });
});
