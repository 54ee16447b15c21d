import type { ServerResponse } from 'node:http';

export interface StreamEvent {
  /** The client sends it as Last-Event-ID when it reconnects. */
  id: string;
  /** `job.progress`, `job.succeeded`. */
  type: string;
  data: unknown;
}

/** The opening of a stream: how long an EventSource waits before it reconnects. */
const RETRY_TEXT = 'retry: 2000\n\n';

/** Clients ignore it, and proxies see that the connection is in use. */
const HEARTBEAT_TEXT = ': \n\n';

/**
 * One line of data, because JSON has no line breaks outside its escapes. The reader may not be a parser of JSON: a line
 * break in the id or the type would start another field.
 */
export function toEventText({ id, type, data }: StreamEvent): string {
  if (/[\r\n\0]/.test(id + type))
    throw new Error('The id or the type of a server-sent event has a line break or a NUL.');
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * An open `text/event-stream` response, with back-pressure. `send` resolves when the client's connection can take more, so a
 * caller that awaits it holds one event at most. A client that does not read for `slowReaderMs` is cut, and may reconnect.
 */
export class EventStream {
  private readonly endings: (() => void)[] = [];
  private isEnded = false;
  private isSending = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly slowReaderMs: number,
  ) {
    response.once('close', () => this.over());
    response.write(RETRY_TEXT);
  }

  /** Whether nothing can be sent any more: the client has left or was cut, or the stream was ended. */
  get isOver(): boolean {
    return this.isEnded;
  }

  /** Runs the callback when the stream is over, or at once if it already is. */
  onOver(work: () => void): void {
    if (this.isEnded) work();
    else this.endings.push(work);
  }

  /** False once the stream is over. Must be awaited before the next call, because unsent events would fill the memory. */
  async send(event: StreamEvent): Promise<boolean> {
    if (this.isSending)
      throw new Error('An event stream sends one event at a time: await send() before the next call.');
    if (this.isEnded) return false;
    this.isSending = true;
    try {
      if (!this.response.write(toEventText(event))) await this.whenDrained();
    } finally {
      this.isSending = false;
    }
    return !this.isOver;
  }

  /** Skipped while the client has not read earlier bytes: its connection is then known to be in use, or will be cut. */
  sendHeartbeat(): void {
    if (!this.isEnded && !this.response.writableNeedDrain) this.response.write(HEARTBEAT_TEXT);
  }

  /** Completes the response. An EventSource reconnects after it, with the id of the last event. */
  end(): void {
    if (this.isEnded) return;
    this.response.end();
    // A client that reads nothing would otherwise keep the ended response in memory until the connection's own timeout.
    const cut = setTimeout(() => this.response.destroy(), this.slowReaderMs).unref();
    this.response.once('close', () => clearTimeout(cut));
    this.over();
  }

  private whenDrained(): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(cut);
        this.response.off('drain', finish).off('close', finish);
        resolve();
      };
      const cut = setTimeout(() => this.response.destroy(), this.slowReaderMs);
      this.response.once('drain', finish).once('close', finish);
    });
  }

  private over(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    for (const work of this.endings.splice(0)) work();
  }
}
