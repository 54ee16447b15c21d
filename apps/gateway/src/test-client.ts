import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { ErrorEnvelope } from './http/error-envelope';
import { API_KEY } from './test-contexts';

export interface TestResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** The body as JSON. */
  json: <Body>() => Body;
  error: ErrorEnvelope['error'];
}

export interface TestRequest {
  headers?: OutgoingHttpHeaders;
  /** Sent as it is, or as JSON with its content type. */
  body?: string | Buffer;
  json?: unknown;
}

/** Speaks HTTP without a mind of its own: it sets no header, follows nothing, and keeps no connection. */
export class TestClient {
  constructor(private readonly port: number) {}

  /** With the one valid key. */
  async send(method: string, path: string, { headers = {}, body, json }: TestRequest = {}): Promise<TestResponse> {
    const asJson = json === undefined ? {} : { 'Content-Type': 'application/json' };
    const payload = json === undefined ? body : JSON.stringify(json);
    return this.sendBare(method, path, { Authorization: `Bearer ${API_KEY}`, ...asJson, ...headers }, payload);
  }

  sendBare(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders = {},
    body?: string | Buffer,
  ): Promise<TestResponse> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const options = { host: '127.0.0.1', port: this.port, method, path, headers: { ...length, ...headers } };
      const outgoing = request({ ...options, agent: false }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          resolve(toResponse(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks)));
          outgoing.destroy();
        });
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }

  /** Writes bytes that need not be HTTP, and reads what comes until the server hangs up. */
  sendRaw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(this.port, '127.0.0.1', () => socket.write(text));
      socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
      socket.once('end', () => socket.end());
      socket.once('close', () => resolve(answer));
      socket.once('error', reject);
    });
  }
}

function toResponse(status: number, headers: IncomingHttpHeaders, bytes: Buffer): TestResponse {
  const json = <Body>(): Body => JSON.parse(bytes.toString('utf8')) as Body;
  return {
    status,
    headers,
    bytes,
    json,
    get error() {
      return json<ErrorEnvelope>().error;
    },
  };
}
