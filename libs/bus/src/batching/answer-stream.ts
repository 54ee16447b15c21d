import type { BusLogger } from '../bus-logger';
import { type Reply, encodeText } from '../envelope';
import { isTooLarge, replaceUnsent } from '../unsent-reply';
import { MAX_BATCH_BYTES, toAnswersMessage } from './batch-message';

type Answer = [index: number, replyJson: string];

export interface AnswerStreamOptions {
  subject: string;
  requests: number;
  /** Sends one message back to the sender of the batch. @throws if the broker cannot carry the message */
  respond: (message: Uint8Array) => void;
  /** The broker's `max_payload`. */
  maxBytes: number | undefined;
  log: BusLogger;
}

/**
 * Answers the requests of a batch. Answers that become ready in one turn of the event loop leave in one message. The last
 * answer leaves at once. A finished request never waits for a slower request of the same batch.
 */
export class AnswerStream {
  private ready: Answer[] = [];
  private bytes = 0;
  private open: number;

  constructor(private readonly options: AnswerStreamOptions) {
    this.open = options.requests;
  }

  add(index: number, reply: Reply): void {
    const replyJson = this.write(reply);
    if (this.ready.length === 0 && this.open > 1) setImmediate(() => this.flush());
    const bytes = Buffer.byteLength(replyJson);
    if (this.bytes + bytes > MAX_BATCH_BYTES) this.flush();
    this.ready.push([index, replyJson]);
    this.bytes += bytes;
    this.open -= 1;
    if (this.open === 0) this.flush();
  }

  private write(reply: Reply): string {
    try {
      return JSON.stringify(reply);
    } catch (error) {
      return this.replace(error);
    }
  }

  private flush(): void {
    const answers = this.ready;
    this.ready = [];
    this.bytes = 0;
    if (answers.length > 0) this.send(answers);
  }

  private send(answers: Answer[]): void {
    const message = encodeText(toAnswersMessage(answers));
    try {
      this.options.respond(message);
    } catch (error) {
      // Answers that exceed max_payload together may fit one by one.
      if (isTooLarge(error) && answers.length > 1) for (const answer of answers) this.send([answer]);
      else for (const [index] of answers) this.sendFailure(index, this.replace(error, message.length));
    }
  }

  /** On a closed connection no answer can be sent. The callers then time out. */
  private sendFailure(index: number, failureJson: string): void {
    try {
      this.options.respond(encodeText(toAnswersMessage([[index, failureJson]])));
    } catch (error) {
      this.options.log.warn({ subject: this.options.subject, reason: String(error) }, 'bus_reply_lost');
    }
  }

  private replace(error: unknown, bytes?: number): string {
    const { subject, maxBytes, log } = this.options;
    return JSON.stringify(replaceUnsent({ subject, bytes, maxBytes, error }, log));
  }
}
