import { Readable } from 'node:stream';

/**
 * The body of a download. `Readable.from` waits for the next chunk before it closes; with a silent peer, the connection
 * of a destroyed stream would stay open until the deadline.
 */
export class DownloadBody extends Readable {
  constructor(
    private readonly chunks: AsyncIterator<Buffer>,
    private readonly endExchange: () => Promise<void>,
  ) {
    // One chunk ahead of the reader, of any size.
    super({ highWaterMark: 1 });
  }

  override _read(): void {
    this.chunks.next().then(
      ({ done, value }) => this.push(done ? null : value),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.endExchange().then(() => callback(error), callback);
  }
}
