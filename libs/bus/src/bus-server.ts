import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { Msg, NatsConnection, Subscription } from 'nats';
import { isObservable, lastValueFrom } from 'rxjs';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { startStopwatch } from '@kinora/metrics';
import { type SpanShape, inTrace } from '@kinora/tracing';
import type { BusLogger } from './bus-logger';
import { meterHandler } from './bus-meter';
import { handlersUnderWay } from './bus.metrics';
import { runInCall } from './call-context';
import { toCallContext, traceparentOf } from './call-headers';
import { outcomeOfCode } from './call-outcome';
import { isConnected } from './connection';
import { type Reply, decode, encode, encodeText } from './envelope';
import { EventConsumer } from './event-consumer';
import type { HandledContract } from './handles.decorator';
import { AnswerStream } from './sets/answer-stream';
import { type ReceivedItem, readSet, readSetItem, setSubject } from './sets/set-message';

type Rpc = RpcContract<never, unknown>;

/** Requests that a process works on at once; one more is told to come back, before memory or the pool says it worse. */
const MAX_CONCURRENT_REQUESTS = 2_000;

const ANSWERING: SpanShape = { kind: 'server', attributes: { 'rpc.system': 'nats' } };

/**
 * Serves contracts over a NATS connection that outlives every fault. It takes the place of Nest's own NATS transport,
 * which dies of one malformed message, hides the type of errors, sets no deadlines, and drops work when it closes.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  private readonly subscriptions: Subscription[] = [];
  private readonly consumers: EventConsumer[] = [];
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly service: string,
    private readonly log: BusLogger,
  ) {
    super();
    handlersUnderWay.readBy({}, () => this.underWay.size);
  }

  listen(callback: (error?: unknown) => void): void {
    for (const [subject, handler] of this.messageHandlers) this.serve(subject, handler);
    // Flushing tells the broker of every subscription before the service calls itself ready.
    this.connection.flush().then(() => callback(), callback);
  }

  /** Takes nothing new, finishes what was begun, and leaves the connection to its owner. */
  async close(): Promise<void> {
    await Promise.all([
      ...this.subscriptions.map((subscription) => this.release(subscription)),
      ...this.consumers.map((consumer) => consumer.stop()),
    ]);
    await Promise.all(this.underWay);
    // Answers to sets leave at the end of the turn in which they were ready.
    await endOfTurn();
    if (isConnected(this.connection)) await this.connection.flush();
  }

  on(): never {
    throw new Error('The bus reports on its connection through the log, not through events.');
  }

  unwrap<T>(): T {
    return this.connection as T;
  }

  /** A broker that is away cannot confirm the end of a subscription, and sends nothing that would have to be waited for. */
  private async release(subscription: Subscription): Promise<void> {
    if (isConnected(this.connection)) await subscription.drain();
  }

  private serve(subject: string, handler: MessageHandler): void {
    const contract = (handler.extras as { contract?: HandledContract } | undefined)?.contract;
    switch (contract?.kind) {
      case 'rpc':
        this.subscribe(subject, this.service, (message) => this.answer(contract, handler, message));
        if (contract.sets)
          this.subscribe(setSubject(subject), this.service, (message) => this.answerSet(contract, handler, message));
        return;
      case 'signal':
        this.subscribe(subject, undefined, (message) => this.hear(handler, message));
        return;
      case 'event':
        this.consume(subject, handler);
        return;
      case undefined:
        throw new Error(`${subject} is handled without a contract; use @Handles, @Listens or @Hears.`);
    }
  }

  private subscribe(subject: string, queue: string | undefined, work: (message: Msg) => Promise<void>): void {
    const subscription = this.connection.subscribe(subject, {
      ...(queue === undefined ? {} : { queue }),
      callback: (error, message) => {
        if (error) this.log.error({ subject, reason: error.message }, 'bus_subscription_failed');
        else this.track(subject, work(message));
      },
    });
    this.subscriptions.push(subscription);
  }

  /** Nobody waits for the work: a rejection that passed from here would end the process. */
  private track(subject: string, work: Promise<void>): void {
    const heard = work.catch((error: unknown) => {
      this.log.error({ subject, reason: String(error) }, 'bus_message_failed');
    });
    this.underWay.add(heard);
    void heard.finally(() => this.underWay.delete(heard));
  }

  private async answer(contract: Rpc, handler: MessageHandler, message: Msg): Promise<void> {
    const reply = await this.replyTo(contract, handler, message);
    try {
      message.respond(encode(reply));
    } catch (error) {
      this.log.error({ subject: contract.subject, reason: String(error) }, 'bus_reply_failed');
      if (!this.connection.isClosed()) message.respond(encode({ error: ApiError.internal().toPayload() }));
    }
  }

  private async replyTo(contract: Rpc, handler: MessageHandler, message: Msg): Promise<Reply> {
    const request = decode(message.data);
    if (request === undefined) return this.refuseMalformed(contract, message);
    const call = toCallContext(message.headers, contract.timeoutMs);
    return this.handle(contract, handler, { request, call, traceparent: traceparentOf(message.headers) });
  }

  /** Each request of a set is handled by itself, in the call that it belongs to, and answered as soon as it can be. */
  private async answerSet(contract: Rpc, handler: MessageHandler, message: Msg): Promise<void> {
    const { subject, timeoutMs } = contract;
    const items = readSet(message.data);
    if (!items) {
      message.respond(encode(this.refuseMalformed(contract, message)));
      return;
    }
    const answers = new AnswerStream(subject, items.length, (text) => message.respond(encodeText(text)), this.log);
    items.forEach((item, place) => {
      const received = readSetItem(item, timeoutMs);
      const reply = received
        ? this.handle(contract, handler, received)
        : Promise.resolve(this.refuseMalformed(contract, message));
      this.track(
        subject,
        reply.then((ready) => answers.add(place, ready)),
      );
    });
  }

  private refuseMalformed({ subject }: Rpc, { data }: Msg): Reply {
    this.log.error({ subject, bytes: data.length }, 'bus_request_malformed');
    return { error: ApiError.internal().toPayload() };
  }

  private async handle(contract: Rpc, handler: MessageHandler, received: ReceivedItem): Promise<Reply> {
    const seconds = startStopwatch();
    const reply = await this.work(contract, handler, received);
    meterHandler(contract.subject, 'ok' in reply ? 'ok' : outcomeOfCode(reply.error.code), seconds());
    return reply;
  }

  private async work(contract: Rpc, handler: MessageHandler, received: ReceivedItem): Promise<Reply> {
    if (this.underWay.size >= MAX_CONCURRENT_REQUESTS)
      return { error: ApiError.unavailable('The service').toPayload() };
    const { request, call, traceparent } = received;
    try {
      const answer = await runInCall(call, () =>
        inTrace(traceparent, contract.subject, ANSWERING, () => this.settleListed(contract, () => handler(request))),
      );
      return { ok: answer ?? null };
    } catch (error) {
      return { error: (error instanceof ApiError ? error : ApiError.internal()).toPayload() };
    }
  }

  /** @throws ApiError that the contract lists, or one that tells nothing. */
  private async settleListed(contract: Rpc, work: () => ReturnType<MessageHandler>): Promise<unknown> {
    const beganAtMs = performance.now();
    try {
      return await settle(work());
    } catch (error) {
      throw this.toListedError(contract, error, Math.round(performance.now() - beganAtMs));
    }
  }

  /** Only what the contract lists may cross the hop; of anything else the reason stays in the log, where it happened. */
  private toListedError({ subject, errors }: Rpc, error: unknown, duration_ms: number): ApiError {
    if (error instanceof ApiError && errors.includes(error.code)) {
      this.log.info({ subject, code: error.code, duration_ms }, 'bus_request_refused');
      return error;
    }
    const stack = error instanceof Error ? error.stack : String(error);
    this.log.error({ subject, stack, duration_ms }, 'bus_handler_failed');
    return ApiError.internal();
  }

  private async hear(handler: MessageHandler, message: Msg): Promise<void> {
    const payload = decode(message.data);
    if (payload === undefined) return;
    try {
      await settle(handler(payload));
    } catch (error) {
      this.log.error({ subject: message.subject, reason: String(error) }, 'signal_not_handled');
    }
  }

  private consume(subject: string, handler: MessageHandler): void {
    const consumer = new EventConsumer(this.connection, this.log, {
      service: this.service,
      subject,
      handler: async (payload, delivery) => void (await settle(handler(payload, delivery))),
    });
    this.consumers.push(consumer);
    consumer.start();
  }
}

/** Nest hands a failure over as an Observable that throws, and a result as it is. */
async function settle(outcome: ReturnType<MessageHandler>): Promise<unknown> {
  const result: unknown = await outcome;
  return isObservable(result) ? await lastValueFrom(result) : result;
}
