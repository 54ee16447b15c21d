import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type JobFiles, takeLinks } from '../files/job-outputs';

/** The largest event holds one job. */
const EVENT_MAX_CHARS = 4 * 1024 * 1024;
const DATA = 'data: ';

/** Replaces the signed links in a `text/event-stream`, event by event. It holds one unfinished event at most. */
export class EventLinks extends Transform {
  /** A character may be cut in two. */
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(private readonly onFiles: (jobs: JobFiles[]) => void) {
    super();
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const events = (this.rest + this.decoder.write(piece)).split('\n\n');
    this.rest = events.pop() ?? '';
    if (this.rest.length > EVENT_MAX_CHARS) return done(new Error('An event of the gateway is too long.'));
    try {
      done(null, events.map((event) => `${this.rewrite(event)}\n\n`).join(''));
    } catch (error) {
      done(error as Error);
    }
  }

  private rewrite(event: string): string {
    const lines = event.split('\n').map((line) => {
      if (!line.startsWith(DATA)) return line;
      const value: unknown = JSON.parse(line.slice(DATA.length));
      this.onFiles(takeLinks(value));
      return DATA + JSON.stringify(value);
    });
    return lines.join('\n');
  }
}
