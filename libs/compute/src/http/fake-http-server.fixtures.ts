import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Fault, ReceivedRequest, ReceivedTask } from '../conformance/fake-backend.fixtures';

export interface ReceivedHttpRequest extends ReceivedRequest {
  body: Buffer;
}

/** An HTTP server that records every request. */
abstract class FakeServer {
  readonly requests: ReceivedHttpRequest[] = [];
  url = '';
  private server: Server | null = null;

  /** Listens on its previous port, if it had one. */
  async start(): Promise<string> {
    const server = createServer((incoming, response) => void this.receive(incoming, response));
    server.on('upgrade', (incoming, socket) => {
      this.note(incoming, Buffer.alloc(0));
      this.upgrade(incoming, socket);
    });
    await new Promise<void>((resolve) =>
      server.listen(Number(new URL(this.url || 'http://x').port), '127.0.0.1', resolve),
    );
    this.server = server;
    return (this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  }

  protected abstract answer(request: ReceivedHttpRequest, response: ServerResponse): void;

  protected upgrade(_incoming: IncomingMessage, socket: Duplex): void {
    socket.destroy();
  }

  private async receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => null);
    if (body) this.answer(this.note(incoming, body), response);
  }

  private note({ method = '', url: path = '', headers }: IncomingMessage, body: Buffer): ReceivedHttpRequest {
    const request = { method, path, headers: headers as Record<string, string>, body };
    this.requests.push(request);
    return request;
  }
}

/** The HTTP side of a fake backend of the conformance kit, and its faults. */
export abstract class FaultyServer extends FakeServer {
  readonly received: ReceivedTask[] = [];
  private readonly faults = new Map<Fault['kind'], Fault>();

  inject(fault: Fault): void {
    this.faults.set(fault.kind, fault);
  }

  /** Clears all faults. */
  heal(): void {
    this.faults.clear();
  }

  fault<Kind extends Fault['kind']>(kind: Kind): Extract<Fault, { kind: Kind }> | null {
    return (this.faults.get(kind) as Extract<Fault, { kind: Kind }> | undefined) ?? null;
  }
}

/** Replaces the answer to a request; `work` makes the fake process the request nevertheless. */
type FaultyAnswer = (response: ServerResponse, work: () => void) => void;

/** Answers all requests alike, but for those that a spec breaks. */
export class FakeHttpServer extends FakeServer {
  private readonly faults: { path: RegExp; fault: FaultyAnswer }[] = [];

  constructor(private readonly usual: (request: ReceivedHttpRequest, response: ServerResponse) => void) {
    super();
  }

  /** The next request whose `METHOD /path` matches gets the fault instead of its answer. */
  breakNext(path: RegExp, fault: FaultyAnswer): void {
    this.faults.push({ path, fault });
  }

  protected answer(request: ReceivedHttpRequest, response: ServerResponse): void {
    const index = this.faults.findIndex(({ path }) => path.test(`${request.method} ${request.path}`));
    const [broken] = index < 0 ? [] : this.faults.splice(index, 1);
    if (broken) broken.fault(response, () => this.usual(request, response));
    else this.usual(request, response);
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
  }) satisfies FaultyAnswer,
  status:
    (status: number, headers: Record<string, string> = {}, body: unknown = {}): FaultyAnswer =>
    (response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)),
  body:
    (body: string | Buffer): FaultyAnswer =>
    (response) =>
      response.writeHead(200).end(body),
  /** Announces more bytes than it sends. */
  truncated: ((response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('short');
    setImmediate(() => response.socket?.destroy());
  }) satisfies FaultyAnswer,
  redirect:
    (location: string): FaultyAnswer =>
    (response) =>
      response.writeHead(302, { location }).end(),
  never: (() => undefined) satisfies FaultyAnswer,
};
