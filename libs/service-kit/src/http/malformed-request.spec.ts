import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { handleEveryRequest, malformedRequestHandler } from './malformed-request';

const HEADERS_TIMEOUT_MS = 100;
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

let server: Server;
let port: number;

beforeAll(async () => {
  const times = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: 20,
  };
  server = createServer(times, (_request, response) => response.end('served'));
  const toRaw = ({ code }: { code: string }): string => `HTTP/1.1 400 Bad Request\r\n\r\n${code}`;
  const answerMalformed = malformedRequestHandler(toRaw, HEADERS_TIMEOUT_MS);
  server.on('clientError', answerMalformed);
  handleEveryRequest(server, answerMalformed);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

/** Everything that the server sends until it closes the connection. */
async function exchange(sent: string): Promise<string> {
  const client: Socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  client.on('data', (chunk: string) => (answer += chunk));
  if (sent !== '') client.write(sent);
  await once(client, 'close');
  return answer;
}

describe('a head that has not arrived in time', () => {
  it('is answered where a part of it has arrived', async () => {
    expect(await exchange('GET / HTTP/1.1\r\nHost: x\r\n')).toMatch(/ 400 .*invalid_body$/s);
  });

  it('ends a connection without an answer where nothing has arrived', async () => {
    expect(await exchange('')).toBe('');
  });

  it('is served where nothing had arrived until then', async () => {
    const client: Socket = connect(port, '127.0.0.1').setEncoding('latin1');
    await once(server, 'clientError');
    client.write(REQUEST);
    expect((await once(client, 'data')).join('')).toMatch(/ 200 /);
    client.destroy();
  });

  it('is served where it had arrived during a stall of the event loop', async () => {
    // The connection is accepted before the stall, and its bytes are read after it.
    server.once('connection', () => setImmediate(stall));
    expect(await exchange(REQUEST)).toMatch(/ 200 .*served/s);
  });
});

function stall(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * HEADERS_TIMEOUT_MS);
}
