import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Received {
  url: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export type Answer = (response: ServerResponse, received: Received) => void;

/** An HTTP server on loopback that sends the answer that a test sets. */
export class FakeEngine {
  readonly received: Received[] = [];
  answer: Answer = (response) => response.destroy();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeEngine> {
    const server = createServer();
    const fake = new FakeEngine(server);
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) =>
        void fake.respond(request, response).catch(() => response.destroy()),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as Record<string, unknown>;
    const received = { url: request.url ?? '', headers: request.headers, body };
    this.received.push(received);
    this.answer(response, received);
  }
}

export function answering(body: unknown, status = 200): Answer {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Faults that any HTTP service can have. */
export const NONSENSE: Record<string, Answer> = {
  'hangs up': (response) => void response.destroy(),
  'says nothing': () => undefined,
  'drips slowly': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  'breaks off': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"results": [', () => response.destroy());
  },
  'truncated JSON': (response) => void response.end('{"results": [{'),
  'no JSON': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
  'an empty body': (response) => void response.end(),
  'a body without end': (response) => void response.end(`"${'x'.repeat(1_000_000)}"`),
  compressed: (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([31, 139, 8])),
  'a redirect': (response, { url }) => void response.writeHead(307, { location: `http://127.0.0.1:9${url}` }).end('{}'),
  'an error in a 200': answering({ error: { message: 'The server had an error.', code: 'server_error' } }),
  '{}': answering({}),
  null: answering(null),
  'a list': answering([]),
  'a text': answering('passed'),
  '201': answering({}, 201),
  '204': (response) => void response.writeHead(204).end(),
  '400': answering({}, 400),
  '401': answering({}, 401),
  '404': answering({}, 404),
  '429': (response) => void response.writeHead(429, { 'retry-after': '1' }).end('{}'),
  '500': answering({}, 500),
  '503': answering({}, 503),
};
