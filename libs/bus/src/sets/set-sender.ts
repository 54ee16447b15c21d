import type { Msg, NatsConnection } from 'nats';
import type { SetOptions } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { currentCaller } from '../call-context';
import type { CallMeter } from '../call-meter';
import { isConnected, openInbox } from '../connection';
import { encodeText } from '../envelope';
import { Gatherer } from './gatherer';
import { MAX_SET_BYTES, readAnswers, setSubject, toSetItem, toSetMessage } from './set-message';
import { WaitingRequest } from './waiting-request';

/**
 * A set that takes longer holds up nobody any more: one of its requests may have to wait for an image, for a provider or
 * for another request, and those behind it need not.
 */
const HOLDS_UP_MS = 25;
/** The broker's own answer where nobody listens to a subject. */
const NO_RESPONDERS = 503;

export interface SetSenderOptions {
  connection: NatsConnection;
  /** Sends one request by itself, as every contract's requests can be sent, and gives the reply as it came. */
  sendAlone: (subject: string, request: WaitingRequest) => Promise<unknown>;
  /** The failure of a request that nobody answers. */
  unanswered: (subject: string, reason: string) => Error;
  meter: CallMeter;
}

interface SentSet {
  subject: string;
  requests: WaitingRequest[];
}

/** Sends the requests of contracts that travel in sets, and hands each answer to whoever waits for it. */
export class SetSender {
  private readonly gatherers = new Map<string, Gatherer<WaitingRequest>>();
  /** By the subject on which its answers come. */
  private readonly sent = new Map<string, SentSet>();
  private readonly inbox: string;
  private sentCount = 0;

  constructor(private readonly options: SetSenderOptions) {
    this.inbox = openInbox(options.connection);
  }

  /** @throws ApiError */
  ask<Request>(subject: string, sets: SetOptions<Request>, request: Request, timeoutMs: number): Promise<unknown> {
    const caller = currentCaller();
    const waiting = new WaitingRequest({
      key: sets.fairBy?.(request) ?? caller.call?.accountId ?? '',
      requestJson: JSON.stringify(request),
      ...caller,
      timeoutMs,
      late: () => this.options.unanswered(subject, 'timeout'),
    });
    this.gathererOf(subject, sets).add(waiting);
    return waiting.answer;
  }

  private gathererOf(subject: string, { maxItems, maxUnderWay }: SetOptions<never>) {
    const known = this.gatherers.get(subject);
    if (known) return known;
    const gatherer = new Gatherer<WaitingRequest>({
      maxItems,
      maxUnderWay,
      maxBytes: MAX_SET_BYTES,
      bytesOf: ({ bytes }) => bytes,
      keyOf: ({ ask }) => ask.key,
      work: (requests) =>
        this.send(
          subject,
          requests.filter(({ isOpen }) => isOpen),
        ),
    });
    this.gatherers.set(subject, gatherer);
    return gatherer;
  }

  /** Resolves when there is room for the next set. */
  private async send(subject: string, requests: WaitingRequest[]): Promise<void> {
    const [request] = requests;
    if (!request) return;
    const answered = untilFirstAnswer(requests);
    this.options.meter.sent(subject, requests.length);
    if (!isConnected(this.options.connection)) this.failAll(subject, requests, 'the broker is away');
    else if (request.bytes > MAX_SET_BYTES) void this.sendAlone(subject, request);
    else this.sendSet({ subject, requests });
    await answered;
  }

  private failAll(subject: string, requests: WaitingRequest[], reason: string): void {
    const failure = this.options.unanswered(subject, reason);
    for (const request of requests) request.fail(failure);
  }

  private async sendAlone(subject: string, request: WaitingRequest): Promise<void> {
    try {
      request.settle(await this.options.sendAlone(subject, request));
    } catch (error) {
      request.fail(error);
    }
  }

  private sendSet(set: SentSet): void {
    const { subject, requests } = set;
    if (this.sentCount === 0) this.listen();
    const inbox = `${this.inbox}.${(this.sentCount += 1)}`;
    this.sent.set(inbox, set);
    let open = requests.length;
    for (const request of requests) {
      request.onEnd(() => {
        open -= 1;
        if (open === 0) this.sent.delete(inbox);
      });
    }
    try {
      const items = requests.map((request) => toSetItem(request.ask, request.remainingMs()));
      this.options.connection.publish(setSubject(subject), encodeText(toSetMessage(items)), { reply: inbox });
    } catch (error) {
      this.failAll(subject, requests, String(error));
    }
  }

  private listen(): void {
    this.options.connection.subscribe(`${this.inbox}.*`, {
      callback: (error, message) => {
        const set = error ? undefined : this.sent.get(message.subject);
        if (set) this.hear(set, message);
      },
    });
  }

  private hear({ subject, requests }: SentSet, message: Msg): void {
    if (message.headers?.code === NO_RESPONDERS) {
      // Whoever serves the contract knows no sets yet, as while versions are exchanged: it gets each request by itself.
      for (const request of requests) void this.sendAlone(subject, request);
      return;
    }
    const answers = readAnswers(message.data);
    if (answers) for (const [place, reply] of answers) requests[place]?.settle(reply);
    else for (const request of requests) request.fail(ApiError.internal());
  }
}

/** The answers of a set come together, as a rule, so that with the first of them there is room for the next set. */
function untilFirstAnswer(requests: WaitingRequest[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, HOLDS_UP_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    for (const request of requests) request.onEnd(end);
  });
}
