import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/**
 * What happens to the bytes of all connections: none is opened, each comes later, none arrives in either direction, the server's
 * are lost although it has acted, or the connection ends after so many of them.
 */
export type LinkFault =
  | { kind: 'refuse' }
  | { kind: 'delay'; ms: number }
  | { kind: 'half_open' }
  | { kind: 'lose_answers' }
  | { kind: 'reset_after'; bytes: number };

/** One direction of a connection, whose bytes keep their order whatever the delay of each. Null is its end. */
class Stream {
  private readonly queue: { bytes: Buffer | null; dueAtMs: number }[] = [];

  constructor(private readonly to: Socket) {}

  send(bytes: Buffer | null, delayMs: number): void {
    if (delayMs === 0 && this.queue.length === 0) return this.write(bytes);
    this.queue.push({ bytes, dueAtMs: performance.now() + delayMs });
    if (this.queue.length === 1) this.schedule();
  }

  private schedule(): void {
    const [next] = this.queue;
    if (!next) return;
    setTimeout(() => {
      this.queue.shift();
      this.write(next.bytes);
      this.schedule();
    }, next.dueAtMs - performance.now());
  }

  private write(bytes: Buffer | null): void {
    if (bytes === null) this.to.end();
    else if (this.to.writable) this.to.write(bytes);
  }
}

interface Link {
  client: Socket;
  server: Socket;
  /** Bytes of the server since the fault began. */
  answered: number;
}

/** A proxy on loopback in front of one TCP server, which does to its connections what a network may do. */
export class TcpProxy {
  private readonly links = new Set<Link>();
  private fault: LinkFault | null = null;
  /** How many connections or pieces of bytes the fault has changed. */
  private changed = 0;

  private constructor(
    private readonly server: Server,
    /** May be set later than the start, before the first connection. */
    public targetPort: number,
  ) {
    server.on('connection', (client) => this.open(client));
  }

  static async start(targetPort = 0): Promise<TcpProxy> {
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, targetPort);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  begin(fault: LinkFault): void {
    this.fault = fault;
    this.changed = 0;
    for (const link of this.links) link.answered = 0;
    if (fault.kind === 'refuse') this.changed += this.cut();
  }

  /** A connection that has lost bytes cannot go on. @returns how many connections or pieces of bytes the fault has changed. */
  heal(): number {
    const isLossy = this.fault?.kind === 'half_open' || this.fault?.kind === 'lose_answers';
    this.fault = null;
    if (isLossy) this.cut();
    return this.changed;
  }

  /** @returns how many connections there were. */
  cut(): number {
    const count = this.links.size;
    for (const link of this.links) reset(link);
    return count;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private open(client: Socket): void {
    if (this.fault?.kind === 'refuse') {
      this.changed += 1;
      return void client.resetAndDestroy();
    }
    const server = connect({ port: this.targetPort, host: '127.0.0.1', noDelay: true });
    const link = { client, server, answered: 0 };
    this.links.add(link);
    const [toServer, toClient] = [new Stream(server), new Stream(client)];
    client.on('data', (bytes) => this.pass(link, bytes, toServer, false)).on('end', () => this.end(toServer));
    server.on('data', (bytes) => this.pass(link, bytes, toClient, true)).on('end', () => this.end(toClient));
    for (const socket of [client, server])
      socket.on('error', () => reset(link)).on('close', () => this.links.delete(link));
  }

  private end(stream: Stream): void {
    stream.send(null, this.fault?.kind === 'delay' ? this.fault.ms : 0);
  }

  private pass(link: Link, bytes: Buffer, stream: Stream, isAnswer: boolean): void {
    const { fault } = this;
    if (!fault || (!isAnswer && (fault.kind === 'lose_answers' || fault.kind === 'reset_after')))
      return stream.send(bytes, 0);
    if (fault.kind === 'delay') stream.send(bytes, fault.ms);
    this.changed += 1;
    if (fault.kind !== 'reset_after') return;
    const left = Math.max(0, fault.bytes - link.answered);
    link.answered += bytes.length;
    stream.send(bytes.subarray(0, left), 0);
    if (left < bytes.length) setImmediate(() => reset(link));
  }
}

function reset({ client, server }: Link): void {
  client.resetAndDestroy();
  server.resetAndDestroy();
}
