import { type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy in front of one server. */
export abstract class ForwardingProxy {
  private readonly server = createServer((incoming, outgoing) => this.pass(incoming, outgoing));

  constructor(private readonly target: URL) {}

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  protected abstract pass(incoming: IncomingMessage, outgoing: ServerResponse): void;

  protected forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    onAnswer: (answer: IncomingMessage) => void,
    headers = incoming.headers,
  ): ClientRequest {
    const { method, url } = incoming;
    const { hostname, port } = this.target;
    const passed = request({ hostname, port, method, path: url, headers, agent: false }, onAnswer);
    passed.on('error', () => outgoing.destroy());
    return incoming.pipe(passed);
  }

  protected answer(answer: IncomingMessage, outgoing: ServerResponse): void {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  }
}

/** Adds an API key to each request, for programs that send none. */
export class KeyedProxy extends ForwardingProxy {
  private constructor(
    target: URL,
    private readonly apiKey: string,
  ) {
    super(target);
  }

  static start(target: URL, apiKey: string): Promise<KeyedProxy> {
    return new KeyedProxy(target, apiKey).listen();
  }

  protected override pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const headers = { ...incoming.headers, authorization: `Bearer ${this.apiKey}` };
    this.forward(incoming, outgoing, (answer) => this.answer(answer, outgoing), headers);
  }
}
