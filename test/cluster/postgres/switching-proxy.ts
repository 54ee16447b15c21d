import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** A TCP address that leads to one server after another, as a Service or a DNS name does in a failover. */
export class SwitchingProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private target: number) {
    this.server = createServer((client) => this.join(client));
  }

  /** @param target the loopback port of the first server. */
  static async start(target: number): Promise<SwitchingProxy> {
    const proxy = new SwitchingProxy(target);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** New connections lead to another server; those that exist stay where they are. */
  switchTo(target: number): void {
    this.target = target;
  }

  cutConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cutConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(one);
      one.setNoDelay();
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
