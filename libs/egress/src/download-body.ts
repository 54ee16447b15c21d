import { Readable } from 'node:stream';

/**
 * The body of a download. `Readable.from` would wait for the next chunk before it closes, so that a peer that has gone silent
 * kept the connection of a reader that has left until the deadline.
 */
export class DownloadBody extends Readable {
  constructor(
    private readonly chunks: AsyncIterator<Buffer>,
    private readonly endExchange: () => Promise<void>,
  ) {
    // One chunk ahead of the reader, whatever its size.
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
