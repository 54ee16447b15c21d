import { type Socket, connect } from 'node:net';

const ANNOUNCED_BYTES = 43_000_000;
export const SENT_BYTES = 3 * 1024 * 1024;
const SENT = Buffer.alloc(SENT_BYTES, ' ');

/** Clients that announce a large body, send the beginning of it, and keep the connection. */
export class SilentSenders {
  private readonly sockets: Socket[];
  private refusals = 0;

  constructor(baseUrl: string, apiKeys: string[], count: number) {
    this.sockets = Array.from({ length: count }, (_, index) =>
      this.begin(baseUrl, apiKeys[index % apiKeys.length] ?? ''),
    );
  }

  /** How many were answered; while the gateway waits for a body, it does not answer. */
  get refused(): number {
    return this.refusals;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private begin(baseUrl: string, apiKey: string): Socket {
    const { hostname, port, host } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    // The gateway may reset the connection of a refused sender that is still sending.
    socket.on('error', () => undefined).once('data', () => (this.refusals += 1));
    const head = ['POST /v1/images/edits HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${apiKey}`];
    const body = ['Content-Type: application/json', `Content-Length: ${ANNOUNCED_BYTES}`, '', ''];
    socket.write([...head, ...body].join('\r\n'));
    socket.write(SENT);
    return socket;
  }
}
