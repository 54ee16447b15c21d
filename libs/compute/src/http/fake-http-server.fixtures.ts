import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedHttpRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Replaces the answer to a request; `work` makes the fake process the request nevertheless. */
export type Fault = (response: ServerResponse, work: () => void) => void;

/** The HTTP side of a fake backend: records every request, and injects faults. */
export class FakeHttpServer {
  readonly requests: ReceivedHttpRequest[] = [];
  private readonly faults: { path: RegExp; fault: Fault }[] = [];

  private constructor(
    private readonly server: Server,
    private readonly answer: (request: ReceivedHttpRequest, response: ServerResponse) => void,
  ) {
    server.on('request', (request, response) => void this.receive(request, response));
  }

  static async start(
    answer: (request: ReceivedHttpRequest, response: ServerResponse) => void,
    port = 0,
  ): Promise<FakeHttpServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new FakeHttpServer(server, answer);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next request whose `METHOD /path` matches gets the fault instead of its answer. */
  breakNext(path: RegExp, fault: Fault): void {
    this.faults.push({ path, fault });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(chunks) };
    this.requests.push(request);
    const index = this.faults.findIndex((fault) => fault.path.test(`${method} ${path}`));
    const [broken] = index < 0 ? [] : this.faults.splice(index, 1);
    if (broken) broken.fault(response, () => this.answer(request, response));
    else this.answer(request, response);
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export const faults = {
  /** The request is processed; its answer never arrives. */
  loseAnswer: ((response, work) => {
    response.end = () => response;
    response.writeHead = () => response;
    work();
    response.socket?.destroy();
  }) satisfies Fault,
  status:
    (status: number, headers: Record<string, string> = {}, body: unknown = {}): Fault =>
    (response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)),
  body:
    (body: string | Buffer): Fault =>
    (response) =>
      response.writeHead(200).end(body),
  /** Announces more bytes than it sends. */
  truncated: ((response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('short');
    setImmediate(() => response.socket?.destroy());
  }) satisfies Fault,
  redirect:
    (location: string): Fault =>
    (response) =>
      response.writeHead(302, { location }).end(),
  never: (() => undefined) satisfies Fault,
};
