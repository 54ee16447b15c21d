import { ApiError } from '@kinora/contracts/shared/errors';
import type { BusLogger } from '../bus-logger';
import type { Reply } from '../envelope';
import { MAX_SET_BYTES, toAnswersMessage } from './set-message';

const FAILURE = JSON.stringify({ error: ApiError.internal().toPayload() } satisfies Reply);

/** Sends one message back to whoever sent the set. @throws where the broker cannot carry it */
export type Respond = (message: string) => void;

/**
 * Answers the requests of a set: all that is ready in one turn of the event loop travels together, with the last of them at
 * once, and nobody waits for a slower neighbour of his set.
 */
export class AnswerStream {
  private ready: [place: number, replyJson: string][] = [];
  private bytes = 0;

  constructor(
    private readonly subject: string,
    /** How many requests there are to answer. */
    private open: number,
    private readonly respond: Respond,
    private readonly log: BusLogger,
  ) {}

  add(place: number, reply: Reply): void {
    const replyJson = this.write(reply);
    if (this.ready.length === 0 && this.open > 1) setImmediate(() => this.flush());
    const bytes = Buffer.byteLength(replyJson);
    if (this.bytes + bytes > MAX_SET_BYTES) this.flush();
    this.ready.push([place, replyJson]);
    this.bytes += bytes;
    this.open -= 1;
    if (this.open === 0) this.flush();
  }

  private write(reply: Reply): string {
    try {
      return JSON.stringify(reply);
    } catch (error) {
      this.log.error({ subject: this.subject, reason: String(error) }, 'bus_reply_failed');
      return FAILURE;
    }
  }

  private flush(): void {
    const answers = this.ready;
    this.ready = [];
    this.bytes = 0;
    if (answers.length > 0) this.send(answers);
  }

  private send(answers: [place: number, replyJson: string][]): void {
    try {
      this.respond(toAnswersMessage(answers));
    } catch (error) {
      this.log.error({ subject: this.subject, reason: String(error) }, 'bus_reply_failed');
      for (const [place] of answers) this.sendFailure(place);
    }
  }

  /** On a connection that is closed nothing can be answered, and whoever asked hears of it in time. */
  private sendFailure(place: number): void {
    try {
      this.respond(toAnswersMessage([[place, FAILURE]]));
    } catch (error) {
      this.log.warn({ subject: this.subject, reason: String(error) }, 'bus_reply_lost');
    }
  }
}
