import type { Answer } from '../../support/api-client';
import { RawConnection } from '../../support/raw-http';
import { expectEnvelope, expectHeaders } from './resources';
import type { TestBed } from './test-bed';

const KEY = 'Authorization: Bearer $KEY';
const POST = ['POST /v1/images/generations HTTP/1.1', 'Host: x', KEY, 'Content-Type: application/json'];
const PING = ['GET /v1/ping HTTP/1.1', 'Host: x'];
const CLOSE = 'Connection: close';
const CHUNKED = 'Transfer-Encoding: chunked';
const many = (count: number, line: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => line(index));

const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

interface RawRow {
  what: string;
  text: string;
  status: number;
  code?: string;
}

const malformed = (what: string, text: string): RawRow => ({ what, text, status: 400, code: 'invalid_body' });
const tooLong = (what: string, text: string): RawRow => ({ what, text, status: 414, code: 'invalid_query' });
const nowhere = (what: string, text: string): RawRow => ({ what, text, status: 404, code: 'not_found' });
const served = (what: string, text: string): RawRow => ({ what, text, status: 200 });

const SMUGGLED: RawRow[] = [
  malformed('a length and chunks', head(...POST, 'Content-Length: 5', CHUNKED) + '0\r\n\r\n'),
  malformed('two lengths', head(...POST, 'Content-Length: 2', 'Content-Length: 3') + '{} '),
  malformed('a list of lengths', head(...POST, 'Content-Length: 2, 2') + '{}'),
  malformed('a negative length', head(...POST, 'Content-Length: -2') + '{}'),
  malformed('a length beyond what a number holds', head(...POST, 'Content-Length: 9007199254740993') + '{}'),
  malformed('chunks twice', head(...POST, CHUNKED, CHUNKED) + '2\r\n{}\r\n0\r\n\r\n'),
  malformed('identity', head(...POST, 'Transfer-Encoding: identity') + '{}'),
  malformed('compressed chunks', head(...POST, CLOSE, 'Transfer-Encoding: gzip, chunked') + '2\r\n{}\r\n0\r\n\r\n'),
  malformed('a vertical tab before chunked', head(...POST, 'Transfer-Encoding: \vchunked') + '0\r\n\r\n'),
  malformed('a space before the colon', head(...POST, 'Transfer-Encoding : chunked') + '0\r\n\r\n'),
  malformed('a chunk size that is none', head(...POST, CHUNKED) + 'zz\r\n{}\r\n0\r\n\r\n'),
  malformed('a chunk size of 2^72', head(...POST, CHUNKED) + 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'),
  malformed('a chunk longer than its size', head(...POST, CHUNKED) + '1\r\n{}\r\n0\r\n\r\n'),
  malformed('chunks that end in line feeds', head(...POST, CHUNKED) + '2\n{}\n0\n\n'),
  malformed('no Host', head('GET /v1/ping HTTP/1.1', CLOSE)),
  malformed('two Hosts', head(...PING, 'Host: y', CLOSE)),
  malformed('an endless chunk extension', head(...POST, CHUNKED) + `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
];

const MALFORMED: RawRow[] = [
  malformed('lines that end in line feeds', `${PING.join('\n')}\n\n`),
  malformed('a folded header', head(...PING, 'X: a', ' b')),
  malformed('a header without a name', head(...PING, ': a')),
  malformed('a NUL in a header', head(...PING, 'X: a\0b')),
  malformed('a NUL in the key', head('GET /v1/models HTTP/1.1', `${KEY}\0`)),
  malformed('a space in the path', head('GET /v1/pi ng HTTP/1.1')),
  malformed('a backslash for a path', head('GET \\v1\\ping HTTP/1.1')),
  malformed('raw bytes in the path', head('GET /v1/p\xefng HTTP/1.1')),
  malformed('headers of 17 KB', head(...PING, `X: ${'x'.repeat(17_000)}`)),
  tooLong('a target of 17 KB', head(`GET /v1/ping?${'x'.repeat(17_000)} HTTP/1.1`)),
  malformed('ten thousand headers', head(...PING, ...many(10_000, (index) => `X-${index}: 1`))),
  malformed('HTTP/1.2', head('GET /v1/ping HTTP/1.2', 'Host: x')),
  malformed('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  nowhere('an unknown method', head('BREW /v1/ping HTTP/1.1', 'Host: x')),
  nowhere('TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
];

const UNUSUAL: RawRow[] = [
  served('HTTP/1.0', head('GET /v1/ping HTTP/1.0')),
  served('an absolute target', head('GET http://elsewhere.example/v1/ping HTTP/1.1', 'Host: x', CLOSE)),
  served('an escaped letter', head('GET /v1/p%69ng HTTP/1.1', 'Host: x', CLOSE)),
  served('a thousand headers', head(...PING, CLOSE, ...many(1_000, (index) => `X-${index}: 1`))),
  served('an upgrade to WebSocket', head(...PING, 'Connection: upgrade, close', 'Upgrade: websocket')),
  served('an upgrade to HTTP/2', head(...PING, 'Connection: upgrade, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMA')),
  served('an unknown expectation', head(...PING, 'Expect: miracles', CLOSE)),
  served('a GET with a body', head(...PING, 'Content-Length: 5', CLOSE) + 'hello'),
  served('a GET with chunks', head(...PING, CHUNKED, CLOSE) + '5\r\nhello\r\n0\r\n\r\n'),
  served('a GET whose body never comes', head(...PING, 'Content-Length: 500') + 'h'),
  served('a GET whose chunks never end', head(...PING, CHUNKED) + '5\r\nhello\r\n'),
  malformed('a GET with a body of 1025 bytes', head(...PING, 'Content-Length: 1025', CLOSE)),
  malformed('chunks beyond the limit', head(...POST, CHUNKED) + `31801\r\n${'x'.repeat(0x31801)}\r\n0\r\n\r\n`),
  nowhere('an absolute target without a path', head('GET http://elsewhere.example HTTP/1.1', 'Host: x', CLOSE)),
  nowhere('the server itself', head('OPTIONS * HTTP/1.1', 'Host: x', CLOSE)),
  nowhere('an escaped slash', head('GET /v1%2Fping HTTP/1.1', 'Host: x', CLOSE)),
  nowhere('dots in the path', head('GET /v1/../v1/ping HTTP/1.1', 'Host: x', CLOSE)),
  nowhere('a path that is no UTF-8', head('GET /v1/%ff HTTP/1.1', 'Host: x', CLOSE)),
];

/** A connection that is open for longer got no response. Less than the ten seconds that the gateway waits for a whole head. */
export const ANSWERED_WITHIN_MS = 9_000;

export function describeRawHttp(testBed: TestBed): void {
  const open = async (text: string): Promise<RawConnection> => {
    const connection = await RawConnection.open(testBed.port);
    connection.write(text.replace('$KEY', testBed.apiKey));
    return connection;
  };

  describe('HTTP, byte by byte', () => {
    it.each([...SMUGGLED, ...MALFORMED, ...UNUSUAL])('$what: $status', async ({ text, status, code }) => {
      const answer = await onlyAnswer(await open(text));
      if (code === undefined) expect(answer).toMatchObject({ status, body: { ok: true, service: 'kinora' } });
      else expectEnvelope(answer, { status, code });
      expectHeaders(answer.headers);
    });

    it('CONNECT opens no tunnel', async () => {
      const connection = await open(head('CONNECT elsewhere.example:443 HTTP/1.1', 'Host: x'));
      await connection.closed(ANSWERED_WITHIN_MS);
      expect(connection.text).not.toMatch(/^HTTP\/1\.1 2/);
    });

    it('pipelined requests are answered in order', async () => {
      const connection = await open(
        head(...PING) + head('GET /v1/nothing HTTP/1.1', 'Host: x') + head(...PING) + head(...PING, CLOSE),
      );
      await connection.closed(ANSWERED_WITHIN_MS);
      expect(connection.answers.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
    });

    it('the bytes after a refused request are not read as another request', async () => {
      const smuggled = head(...POST, 'Content-Length: 4', CHUNKED) + '0\r\n\r\n' + head(...PING);
      const connection = await open(smuggled);
      await connection.closed(ANSWERED_WITHIN_MS);
      expect(connection.answers.map(({ status }) => status)).toEqual([400]);
    });

    it('a client that disconnects in the middle of its body affects no other client', async () => {
      const leaving = await open(head(...POST, 'Content-Length: 500') + '{"prompt":');
      leaving.destroy();
      const ending = await open(head(...POST, 'Content-Length: 500') + '{"prompt":');
      ending.end();
      await ending.closed(ANSWERED_WITHIN_MS);
      expect((await testBed.client.get('/ping')).status).toBe(200);
    });

    it('a head that is incomplete after ten seconds is refused', async () => {
      const connection = await open('GET /v1/ping HTTP/1.1\r\nHost: x\r\n');
      expectEnvelope(await onlyAnswer(connection, 17_000), { status: 400, code: 'invalid_body' });
    }, 20_000);
  });
}

async function onlyAnswer(connection: RawConnection, withinMs = ANSWERED_WITHIN_MS): Promise<Answer<unknown>> {
  await connection.closed(withinMs);
  const [answer, ...more] = connection.answers;
  if (!answer || more.length > 0)
    throw new Error(`The connection held ${connection.answers.length} responses instead of one: ${connection.text}`);
  return answer;
}
