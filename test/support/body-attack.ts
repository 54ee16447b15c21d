import { type Socket, connect } from 'node:net';

const CALLBACKS = 128;
const CALLBACK_BYTES = 1_048_576;
const CHUNKED_EDITS = 3;
const DECLARED_BYTES = 5_217_728;

/** One anonymous address and one key that announce large bodies, send none of them, and keep their connections open. */
export class BodyAttack {
  private readonly sockets: Socket[];
  private readonly answers = new Map<Socket, string>();

  constructor(baseUrl: string, apiKey: string) {
    const { hostname, port } = new URL(baseUrl);
    const edit = [
      'POST /v1/images/edits HTTP/1.1',
      `Authorization: Bearer ${apiKey}`,
      'Content-Type: application/json',
    ];
    const callback = ['POST /callbacks/x/y HTTP/1.1', `Content-Length: ${CALLBACK_BYTES}`];
    const heads = [
      ...Array<string[]>(CALLBACKS).fill(callback),
      ...Array<string[]>(CHUNKED_EDITS).fill([...edit, 'Transfer-Encoding: chunked']),
      [...edit, `Content-Length: ${DECLARED_BYTES}`],
    ];
    this.sockets = heads.map((head) => this.open(connect(Number(port), hostname), head));
  }

  /** Whether the server has read each head: it has responded, or it waits for the body. */
  get isUnderWay(): boolean {
    return this.answers.size === this.sockets.length;
  }

  end(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private open(socket: Socket, [request = '', ...lines]: string[]): Socket {
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (text: string) => this.answers.set(socket, text.slice(0, 12)));
    // The server sends `100 Continue` before it waits for the body, which shows the test that the head was read.
    socket.write([request, 'Host: x', ...lines, 'Expect: 100-continue', '', ''].join('\r\n'));
    return socket;
  }
}
