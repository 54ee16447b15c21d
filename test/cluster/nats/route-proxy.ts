import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** Servers introduce themselves with their name in the first message of a route. */
const INTRODUCTION = /"server_name":"(\w+)"/;
const LONGEST_INTRODUCTION = 16_384;

interface Route {
  /** Unknown until the connecting server has introduced itself. */
  from: string | null;
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
    const route: Route = { from: null, sockets: [incoming, outgoing] };
    this.routes.add(route);
    for (const [socket, other] of [route.sockets, [outgoing, incoming]] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('data', (data) => other.write(data));
      socket.on('close', () => {
        this.routes.delete(route);
        other.destroy();
      });
    }
    this.identify(route, incoming);
    this.passOrHold(route);
  }

  private identify(route: Route, incoming: Socket): void {
    let text = '';
    const read = (data: Buffer): void => {
      text += data.toString('latin1');
      route.from = INTRODUCTION.exec(text)?.[1] ?? null;
      if (route.from === null && text.length < LONGEST_INTRODUCTION) return;
      incoming.off('data', read);
      this.passOrHold(route);
    };
    incoming.on('data', read);
  }

  private passOrHold({ from, sockets }: Route): void {
    const isCut = this.cutOff !== null && (this.cutOff === this.target.name || this.cutOff === from);
    for (const socket of sockets) {
      if (isCut) socket.pause();
      else socket.resume();
    }
  }
}
