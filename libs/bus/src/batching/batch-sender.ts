import type { Msg, NatsConnection } from 'nats';
import type { BatchOptions } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { currentCaller } from '../call-context';
import type { CallMeter } from '../bus-meter';
import { inboxPrefixOf, isConnected, lostAnswersOf, openInbox, subscriptionsOf } from '../connection';
import { encodeText } from '../envelope';
import { CONNECTION_LOST } from '../lost-answers';
import { Batcher } from './batcher';
import { MAX_BATCH_BYTES, readAnswers, batchSubject, toBatchItem, toBatchMessage } from './batch-message';
import { PendingRequest } from './pending-request';

/**
 * After this time without an answer, a batch no longer blocks the next one. One of its requests may be waiting for an image, a
 * provider or another request, and later requests need not wait for it.
 */
const SLOT_RELEASE_MS = 25;
/** Status code with which the broker answers a request on a subject without subscribers. */
const NO_RESPONDERS = 503;

export interface BatchSenderOptions {
  connection: NatsConnection;
  /** Sends one request by itself, as every contract allows, and settles it with the raw reply. */
  sendSingle: (subject: string, request: PendingRequest) => Promise<unknown>;
  /** The error of a request on a subject without subscribers. */
  unanswered: (subject: string, reason: string) => Error;
  meter: CallMeter;
}

interface SentBatch {
  subject: string;
  requests: PendingRequest[];
}

/** Sends the requests of contracts that use batches, and settles each request with its own answer. */
export class BatchSender {
  private readonly batchers = new Map<string, Batcher<PendingRequest>>();
  /** Batches in flight, by the subject on which their answers arrive. */
  private readonly sent = new Map<string, SentBatch>();
  /** The subject prefix of the answers, from the first batch on: `npm run check` creates a Bus without a broker. */
  private inbox: string | null = null;
  private sentCount = 0;

  constructor(private readonly options: BatchSenderOptions) {}

  /** Sends a request in the next batch. @throws ApiError */
  enqueue<Request>(
    subject: string,
    batching: BatchOptions<Request>,
    request: Request,
    timeoutMs: number,
  ): Promise<unknown> {
    const caller = currentCaller();
    return new Promise((resolve, reject) => {
      const key = batching.fairBy?.(request) ?? caller.call?.accountId ?? '';
      const requestJson = JSON.stringify(request);
      const timeoutError = (): Error => this.options.unanswered(subject, 'timeout');
      const waiting = new PendingRequest({ key, requestJson, ...caller, timeoutMs, timeoutError }, { resolve, reject });
      const timer = setTimeout(() => waiting.expire(), timeoutMs);
      waiting.onEnd(() => clearTimeout(timer));
      this.batcherOf(subject, batching).add(waiting);
    });
  }

  private batcherOf(subject: string, { maxItems, maxConcurrent, isPipelined = false }: BatchOptions<never>) {
    const known = this.batchers.get(subject);
    if (known) return known;
    const batcher = new Batcher<PendingRequest>({
      maxItems,
      maxConcurrent,
      isPipelined,
      maxBytes: MAX_BATCH_BYTES,
      bytesOf: ({ bytes }) => bytes,
      keyOf: ({ outgoing }) => outgoing.key,
      work: (requests) =>
        this.send(
          subject,
          requests.filter(({ isOpen }) => isOpen),
        ),
    });
    this.batchers.set(subject, batcher);
    return batcher;
  }

  /** Resolves when the next batch may leave. */
  private async send(subject: string, requests: PendingRequest[]): Promise<void> {
    if (requests.length === 0) return;
    const answered = untilFirstAnswer(requests);
    this.dispatch(subject, requests);
    await answered;
  }

  private dispatch(subject: string, requests: PendingRequest[]): void {
    const [request] = requests;
    if (!request) return;
    this.options.meter.sent(subject, requests.length);
    if (!isConnected(this.options.connection)) this.failAll(subject, requests, 'the broker is away');
    else if (request.bytes > MAX_BATCH_BYTES) void this.sendSingle(subject, request);
    else this.sendBatch({ subject, requests });
  }

  private failAll(subject: string, requests: PendingRequest[], reason: string): void {
    const failure = this.options.unanswered(subject, reason);
    for (const request of requests) request.fail(failure);
  }

  private async sendSingle(subject: string, request: PendingRequest): Promise<void> {
    try {
      request.settle(await this.options.sendSingle(subject, request));
    } catch (error) {
      request.fail(error);
    }
  }

  private sendBatch(batch: SentBatch): void {
    const { subject, requests } = batch;
    const inbox = `${(this.inbox ??= this.openInbox())}.${(this.sentCount += 1)}`;
    this.sent.set(inbox, batch);
    const forget = lostAnswersOf(this.options.connection).watch(subject, () =>
      this.failAll(subject, requests, CONNECTION_LOST),
    );
    let open = requests.length;
    const onEnd = (): void => {
      open -= 1;
      if (open > 0) return;
      this.sent.delete(inbox);
      forget();
    };
    for (const request of requests) request.onEnd(onEnd);
    try {
      const items = requests.map((request) => toBatchItem(request.outgoing, request.remainingMs()));
      this.options.connection.publish(batchSubject(subject), encodeText(toBatchMessage(items)), { reply: inbox });
    } catch (error) {
      this.failAll(subject, requests, String(error));
    }
  }

  /** @returns the subject prefix on which the answers to batches arrive */
  private openInbox(): string {
    const { connection } = this.options;
    const inbox = openInbox(connection);
    subscriptionsOf(connection).open({
      subject: `${inbox}.*`,
      label: `${inboxPrefixOf(connection)}.>`,
      take: (message) => {
        const batch = this.sent.get(message.subject);
        if (batch) this.onReply(batch, message);
      },
    });
    return inbox;
  }

  private onReply({ subject, requests }: SentBatch, message: Msg): void {
    if (message.headers?.code === NO_RESPONDERS) {
      // No server subscribes to batches of this contract, as during an upgrade. Each request is sent by itself.
      for (const request of requests) void this.sendSingle(subject, request);
      return;
    }
    const answers = readAnswers(message.data);
    if (answers) for (const [index, reply] of answers) requests[index]?.settle(reply);
    else for (const request of requests) request.fail(ApiError.internal());
  }
}

/** The answers of a batch usually arrive together, so the first answer frees the slot for the next batch. */
function untilFirstAnswer(requests: PendingRequest[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOT_RELEASE_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    for (const request of requests) request.onEnd(end);
  });
}
