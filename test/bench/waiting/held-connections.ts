import { type Socket, connect } from 'node:net';
import type { Job } from '../../../libs/contracts/src/jobs/job';

/** Connections that are being opened at the same time: a backlog of the listening socket is not what is measured. */
const OPENING_AT_ONCE = 64;

export interface HeldRequest {
  path: string;
  apiKey: string;
  headers?: Record<string, string>;
}

/** When the end of a job reached a client. */
export interface Arrival {
  jobId: string;
  /** From `completed_at` to the first byte. */
  delayMs: number;
  /** When the first byte came. */
  atMs: number;
}

/** Requests that stay open, each on its own connection, read without an HTTP client so that thousands cost this process little. */
export class HeldConnections {
  readonly arrivals: Arrival[] = [];
  private readonly sockets = new Set<Socket>();

  constructor(private readonly port: number) {}

  /** Resolves when every request is sent. */
  async open(requests: HeldRequest[]): Promise<void> {
    let begun = 0;
    const opener = async (): Promise<void> => {
      while (begun < requests.length) await this.openOne(requests[begun++] as HeldRequest);
    };
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, opener));
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  private openOne({ path, apiKey, headers = {} }: HeldRequest): Promise<void> {
    const lines = Object.entries({ Host: 'kinora', Authorization: `Bearer ${apiKey}`, ...headers });
    const head = [`GET ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(head, () => resolve()));
      this.sockets.add(socket);
      socket.once('error', reject).once('close', () => this.sockets.delete(socket));
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        const atMs = Date.now();
        text += chunk;
        const job = endedJobIn(text);
        if (job) this.arrivals.push({ jobId: job.id, delayMs: atMs - Date.parse(job.completed_at ?? ''), atMs });
        // What a stream has sent before its end is not needed.
        if (job || text.endsWith('\n\n')) text = '';
      });
    });
  }
}

/** The ended job in a complete answer or event; null in anything else. */
function endedJobIn(text: string): Job | null {
  const start = text.lastIndexOf('{"id":');
  if (start < 0) return null;
  const line = text.slice(start).split('\n', 1)[0] ?? '';
  try {
    const job = JSON.parse(line.trimEnd()) as Job;
    return typeof job.completed_at === 'string' ? job : null;
  } catch {
    // The rest is still on its way.
    return null;
  }
}
