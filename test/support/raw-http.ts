import { type Socket, connect } from 'node:net';
import { waitFor } from '@kinora/testing';
import type { Answer } from './api-client';

/** A connection for arbitrary bytes. It adds no headers and follows no redirects. */
export class RawConnection {
  private received = '';
  private over = false;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
    // A reset ends the connection too; the bytes before it count.
    socket.on('error', () => undefined).once('close', () => (this.over = true));
    socket.once('end', () => socket.end());
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    const connection = new RawConnection(socket);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return connection;
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Half-closes the connection, and continues to read. */
  end(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Resolves when the server has closed the connection. */
  async closed(timeoutMs: number): Promise<void> {
    await waitFor(() => this.over, { timeoutMs });
  }

  /** All bytes received so far. */
  get text(): string {
    return this.received;
  }

  /** The complete responses received so far, without `100 Continue`. */
  get answers(): Answer<unknown>[] {
    return readAnswers(this.received);
  }
}

function readAnswers(text: string): Answer<unknown>[] {
  const answers: Answer<unknown>[] = [];
  for (let rest = text; rest !== '';) {
    const [head = '', ...behind] = rest.split('\r\n\r\n');
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
    const content = behind.join('\r\n\r\n');
    const length = Number(headers.get('content-length') ?? 0);
    if (behind.length === 0 || content.length < length) break;
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
    if (status !== 100) answers.push({ status, headers, body: readBody(content.slice(0, length)) });
    rest = content.slice(length);
  }
  return answers;
}

function readBody(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as unknown);
}
