import { type Socket, connect } from 'node:net';

/** Longer than every timeout of the service that these requests can reach. */
const GIVEN_UP_MS = 70_000;

/** Connections for arbitrary bytes, from a source address of its own. */
export class RawClient {
  private readonly port: number;
  private readonly host: string;

  constructor(
    baseUrl: string,
    /** Another loopback address than that of the measured clients, so that limits by address do not hit them. */
    private readonly localAddress: string,
  ) {
    const { hostname, port } = new URL(baseUrl);
    this.host = hostname;
    this.port = Number(port);
  }

  /** Sends bytes, continues as the abuse defines, and waits until the server closes. @returns the status of its response. */
  send(text: string, goOn?: { bytes: string; everyMs: number }): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.port, host: this.host, localAddress: this.localAddress });
      let answer = '';
      const more = goOn && setInterval(() => socket.write(goOn.bytes), goOn.everyMs);
      const givenUp = setTimeout(() => socket.destroy(), GIVEN_UP_MS);
      socket.setEncoding('latin1').on('data', (part: string) => (answer = answer.slice(0, 12) + part));
      socket.on('error', () => undefined).once('end', () => socket.end());
      socket.once('close', () => {
        clearInterval(more);
        clearTimeout(givenUp);
        resolve(/^HTTP\/1.1 (\d{3})/.exec(answer)?.[1] ?? 'closed');
      });
      begin(socket, text);
    });
  }
}

function begin(socket: Socket, text: string): void {
  if (text !== '') socket.write(text, 'latin1');
}
