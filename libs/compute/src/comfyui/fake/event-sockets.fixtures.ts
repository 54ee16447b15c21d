import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** RFC 6455, section 1.3. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const CLOSE_FRAME = 8;

/** The server's side of `/ws`: it only sends. A socket with an existing id replaces the one before, which stays open. */
export class EventSockets {
  private readonly all = new Set<Duplex>();
  private readonly byClient = new Map<string, Duplex>();

  get count(): number {
    return this.byClient.size;
  }

  accept(request: IncomingMessage, socket: Duplex, queueRemaining: number): void {
    const key = request.headers['sec-websocket-key'] ?? '';
    const clientId = new URL(request.url ?? '/', 'http://comfyui').searchParams.get('clientId') ?? '';
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${createHash('sha1')
        .update(key + MAGIC)
        .digest('base64')}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.all.delete(socket);
      if (this.byClient.get(clientId) === socket) this.byClient.delete(clientId);
    });
    socket.on('data', (frame: Buffer) => {
      if (((frame[0] ?? 0) & 0x0f) === CLOSE_FRAME) socket.end();
    });
    this.all.add(socket);
    this.byClient.set(clientId, socket);
    write(socket, 'status', { status: { exec_info: { queue_remaining: queueRemaining } }, sid: clientId });
  }

  /** Sends to the client that submitted the prompt, and to none where the submission has no client id. */
  send(clientId: unknown, type: string, data: object): void {
    const socket = typeof clientId === 'string' ? this.byClient.get(clientId) : undefined;
    if (socket) write(socket, type, data);
  }

  broadcast(type: string, data: object): void {
    for (const socket of this.byClient.values()) write(socket, type, data);
  }

  drop(): void {
    for (const socket of this.all) socket.destroy();
    this.all.clear();
    this.byClient.clear();
  }
}

function write(socket: Duplex, type: string, data: object): void {
  const payload = Buffer.from(JSON.stringify({ type, data }));
  const head =
    payload.length < 126
      ? Buffer.from([0x81, payload.length])
      : Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]);
  socket.write(Buffer.concat([head, payload]));
}
