import { readFileSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** A file of vectors, which both client libraries run: `$name` is that entry of `shared`, and `defaults` complete a case. */
export function vectors<Case, Facts = unknown>(name: string): Facts & { cases: Case[] } {
  const file = path.join(__dirname, '../../../test/sdk-vectors', `${name}.json`);
  const { shared = {}, defaults, cases, ...facts } = JSON.parse(readFileSync(file, 'utf8')) as VectorFile;
  const text = (value: unknown) =>
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'string' && part.startsWith('$') ? shared[part.slice(1)] : part,
    );
  return { ...facts, cases: cases.map((it) => JSON.parse(text({ ...defaults, ...it })) as Case) } as Facts & {
    cases: Case[];
  };
}

interface VectorFile {
  shared?: Record<string, unknown>;
  defaults?: object;
  cases: object[];
}

export interface ScriptedAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  /** What follows the bytes: the end, a broken connection, or nothing. `drop` sends not even the head. */
  end?: 'close' | 'cut' | 'hold' | 'drop';
}

export interface ReceivedRequest {
  method: string;
  /** Below the base URL, with the query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server that gives the answers of a script in their order, and records the requests. */
export class ScriptedApi {
  readonly requests: ReceivedRequest[] = [];
  private answers: ScriptedAnswer[] = [];

  private constructor(private readonly server: Server) {
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) =>
        void this.answer(request, response).catch(() => response.destroy()),
    );
  }

  static async start(): Promise<ScriptedApi> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedApi(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get baseURL(): string {
    return `${this.origin}/v1`;
  }

  play(...answers: ScriptedAnswer[]): void {
    this.requests.length = 0;
    this.answers = answers;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    this.requests.push({ method, path: url.replace(/^\/v1/, ''), headers, body: await text(request) });
    const next = this.answers.shift() ?? { status: 599, text: 'The script is over.' };
    if (next.end === 'drop') return void request.socket.destroy();
    const content = Buffer.from(next.text ?? (next.body === undefined ? '' : JSON.stringify(next.body)));
    response.writeHead(next.status, {
      ...next.headers,
      ...(next.end === undefined && next.status !== 204 && { 'content-length': content.length }),
    });
    if (next.end === 'hold') response.write(content);
    else if (next.end === 'cut') response.write(content, () => setImmediate(() => request.socket.destroy()));
    else response.end(content);
  }
}
