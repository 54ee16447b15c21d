import { connect } from 'node:net';
import { useConsole } from '../../test/console.fixtures';
import { CONTENT_SECURITY_POLICY } from './security-headers';

const bed = useConsole();
let port: number;

beforeAll(async () => {
  port = Number(new URL(bed.url).port);
});

interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  error: { type: string; code: string; request_id: string };
}

/** Sends bytes that no HTTP client would send. The answer closes the connection. */
async function exchange(...lines: string[]): Promise<RawAnswer> {
  const text = await new Promise<string>((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.once('end', () => socket.end());
    socket.once('close', () => resolve(answer)).once('error', reject);
  });
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [statusLine = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field) => field.split(': ') as [string, string]);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
    error: (JSON.parse(body) as { error: RawAnswer['error'] }).error,
  };
}

function expectOwnError({ headers, error }: RawAnswer): void {
  expect(headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(error.request_id).toMatch(/^req_/);
  expect(headers.get('x-request-id')).toBe(error.request_id);
}

const CLOSE = 'Connection: close';
const get = (path: string) => [`GET ${path} HTTP/1.1`, 'Host: x', CLOSE];

describe('a path that cannot be decoded', () => {
  it.each(['/%ff', '/%', '/%zz', '/jobs/%e0%a4', '/assets/%ff.js', '/operator/%ff', '/%c0%af..%c0%af', '/%ff?a=1'])(
    'is answered with the error of the console and its headers: %s',
    async (path) => {
      const answer = await exchange(...get(path));
      expect([answer.status, answer.error.code]).toEqual([404, 'not_found']);
      expectOwnError(answer);
    },
  );

  it.each(['/admin/v1/sessions/%ff', '/media/%ff/0', '/admin/v1/operator/jobs/%ff'])(
    'reaches nothing below a protected one: %s',
    async (path) => {
      expect((await exchange(...get(path))).status).toBe(404);
      expect((await exchange(...get(path))).error.code).toBe('not_found');
    },
  );
});

describe('a malformed request', () => {
  it.each([
    ['headers without end', 400, ['GET / HTTP/1.1', 'Host: x', `X: ${'x'.repeat(20_000)}`]],
    ['two lengths', 400, ['POST / HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2']],
    ['an invalid version', 400, ['GET / HTTP/9.9', 'Host: x']],
    ['no host', 400, ['GET /admin/v1/session HTTP/1.1', CLOSE]],
    ['two hosts', 400, ['GET / HTTP/1.1', 'Host: x', 'Host: y', CLOSE]],
    ['a method that does not exist', 404, ['BREW / HTTP/1.1', 'Host: x']],
    ['a tunnel', 404, ['CONNECT x:443 HTTP/1.1', 'Host: x:443']],
    ['an unknown expectation', 404, ['GET /assets/none HTTP/1.1', 'Host: x', 'Expect: miracles', CLOSE]],
  ])('is answered with the error of the console and its headers: %s', async (_name, status, lines) => {
    const answer = await exchange(...lines);
    expect(answer.status).toBe(status);
    expectOwnError(answer);
  });
});
