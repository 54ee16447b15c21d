import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** Servers introduce themselves with their name in the first message of a route. */
const INTRODUCTION = /"server_name":"(\w+)"/;
const LONGEST_INTRODUCTION = 16_384;

interface Route {
  /** Unknown until the connecting server has introduced itself. */
  from: string | null;
  /** What the connecting server has sent, and the other one may not receive yet. */
  held: Buffer[];
  sockets: [Socket, Socket];
}

/**
 * The way of the other servers to one server of a cluster. While a server is cut off, its routes stay open and carry nothing, as
 * in a network that drops packets: no server learns of it by a closed connection.
 */
export class RouteProxy {
  private readonly routes = new Set<Route>();
  private cutOff: string | null = null;

  private constructor(
    private readonly server: Server,
    private readonly target: { name: string; port: number },
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  static async start(target: { name: string; port: number }): Promise<RouteProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new RouteProxy(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Null joins all servers again. */
  separate(name: string | null): void {
    this.cutOff = name;
    for (const route of this.routes) this.passOrHold(route);
  }

  async close(): Promise<void> {
    for (const { sockets } of this.routes) for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(incoming: Socket): void {
    const outgoing = connect(this.target.port, '127.0.0.1');
    const route: Route = { from: null, held: [], sockets: [incoming, outgoing] };
    this.routes.add(route);
    for (const [socket, other] of [route.sockets, [outgoing, incoming]] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.routes.delete(route);
        other.destroy();
      });
    }
    outgoing.on('data', (data) => incoming.write(data));
    incoming.on('data', (data) => {
      route.held.push(data);
      if (route.from === null) route.from = introducedAs(route.held);
      this.passOrHold(route);
    });
    this.passOrHold(route);
  }

  /**
   * A server that got the introduction of a separated one would keep a route to it, and send requests to the clients that this
   * one had. So nothing passes before the peer is known.
   */
  private passOrHold({ from, held, sockets: [incoming, outgoing] }: Route): void {
    const isCut = this.cutOff !== null && (this.cutOff === this.target.name || this.cutOff === from);
    if (!isCut && from !== null) for (const data of held.splice(0)) outgoing.write(data);
    for (const socket of [incoming, outgoing]) {
      if (isCut) socket.pause();
      else socket.resume();
    }
  }
}

/** Null while the introduction has not arrived; an empty name where a long beginning holds none. */
function introducedAs(held: Buffer[]): string | null {
  const text = Buffer.concat(held).toString('latin1');
  return INTRODUCTION.exec(text)?.[1] ?? (text.length < LONGEST_INTRODUCTION ? null : '');
}
