import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { ErrorCode } from '@kinora/contracts/shared/errors';
import type { ErrorEnvelope } from '../src/http/error-answer';
import { API_KEY } from './contexts.fixtures';

export interface TestResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  json: <Body>() => Body;
  error: ErrorEnvelope['error'];
}

export interface TestRequest {
  headers?: OutgoingHttpHeaders;
  /** Sent unchanged; `json` is serialized and sent with its content type. */
  body?: string | Buffer;
  json?: unknown;
}

/** A minimal HTTP client: it adds no headers, follows no redirects and keeps no connections. */
export class TestClient {
  constructor(private readonly portOf: () => number) {}

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
      const options = { host: '127.0.0.1', port: this.portOf(), method, path, headers: { ...length, ...headers } };
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

  /** Writes raw bytes and reads until the server closes the connection. */
  sendRaw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(this.portOf(), '127.0.0.1', () => socket.write(text));
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

/** Codes of /v1 that have another name in the OpenAI-compatible API. */
const RENAMED: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'rate_limit_exceeded',
  model_unavailable: 'model_not_found',
  content_blocked_prompt: 'moderation_blocked',
  content_blocked_input: 'moderation_blocked',
};

/** An API of the gateway. The suites about limits, refusals and hostile requests run against each. */
export interface ServedApi {
  path: '/v1' | '/openai/v1';
}

export const SERVED_APIS: readonly ServedApi[] = [{ path: '/v1' }, { path: '/openai/v1' }];

/** The form of every error of an API, as a matcher. `param` is left out where the error names no field. */
export function errorIn(
  { path }: ServedApi,
  code: ErrorCode,
  param?: string,
): { code: string; param?: string | null; request_id?: unknown } {
  if (path === '/v1')
    return { code, request_id: expect.stringMatching(/^req_/), ...(param !== undefined && { param }) };
  return { code: RENAMED[code] ?? code, param: param ?? null };
}

/** Compares the status and the whole form of an error response. */
export function expectError(
  api: ServedApi,
  { status, headers, json }: TestResponse,
  expected: { status: number; code: ErrorCode; param?: string },
): void {
  const { error } = json<{ error: Record<string, unknown> }>();
  expect([status, error]).toMatchObject([expected.status, errorIn(api, expected.code, expected.param)]);
  const names = api.path === '/v1' ? ['code', 'message', 'request_id', 'type'] : ['code', 'message', 'param', 'type'];
  const hasParam = api.path === '/v1' && expected.param !== undefined;
  expect(Object.keys(error).sort()).toEqual([...names, ...(hasParam ? ['param'] : [])].sort());
  if (api.path === '/v1') expect(error['request_id']).toBe(headers['x-request-id']);
}
