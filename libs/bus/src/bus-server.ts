import { setImmediate as nextTick } from 'node:timers/promises';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { Msg, NatsConnection } from 'nats';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { startStopwatch } from '@kinora/metrics';
import { type SpanShape, inTrace } from '@kinora/tracing';
import type { BusLogger } from './bus-logger';
import { meterHandler, outcomeOfCode } from './bus-meter';
import { runningHandlers } from './bus.metrics';
import { runInCall } from './call-context';
import { toCallContext, traceparentOf } from './call-headers';
import { isConnected, subscriptionsOf } from './connection';
import { type Reply, decode, encode } from './envelope';
import { EventConsumer } from './event-consumer';
import type { HandlerExtras } from './handles.decorator';
import type { KeptSubscription } from './kept-subscriptions';
import { replaceUnsent, toListedError } from './unsent-reply';
import { reportLostAnswers } from './lost-answers';
import { AnswerStream } from './batching/answer-stream';
import { type ReceivedItem, readBatch, readBatchItem, batchSubject } from './batching/batch-message';
import { MessageAge } from './message-age';
import { ActiveWork } from './active-work';
import { Catch, type ExceptionFilter } from '@nestjs/common';

const SERVER_SPAN: SpanShape = { kind: 'server', attributes: { 'rpc.system': 'nats' } };

type Rpc = RpcContract<never, unknown>;

/** A request, alone or of a batch, with the means to answer its sender. */
interface IncomingRequest {
  message: Msg;
  /** Undefined if the message is no request. */
  received: ReceivedItem | undefined;
  respond: (reply: Reply) => void;
}

/** Requests that a process handles at once. Further ones are refused with `capacity`, before memory or the pool runs out. */
const MAX_CONCURRENT_REQUESTS = 2_000;

/**
 * Serves contracts over a NATS connection that survives every fault. It replaces Nest's own NATS transport, which ends at one
 * malformed message, hides error types, has no deadlines, and drops work when it closes.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  private readonly subscriptions: KeptSubscription[] = [];
  private readonly consumers: EventConsumer[] = [];
  private readonly requestSubjects: string[] = [];
  private readonly activeWork = new ActiveWork();
  private readonly messageAge: MessageAge;

  constructor(
    private readonly connection: NatsConnection,
    private readonly service: string,
    private readonly log: BusLogger,
  ) {
    super();
    this.messageAge = new MessageAge(() => connection.flush());
    runningHandlers.readBy({}, () => this.activeWork.size);
  }

  listen(callback: (error?: unknown) => void): void {
    for (const [subject, handler] of this.messageHandlers) this.serve(subject, handler);
    void reportLostAnswers(this.connection, this.requestSubjects);
    // A flush ensures that the broker has every subscription, or has refused it, before the service reports ready.
    this.connection.flush().then(() => callback(), callback);
  }

  /** Accepts no new work, finishes the work under way, and leaves the connection open for its owner. */
  async close(): Promise<void> {
    await Promise.all([
      subscriptionsOf(this.connection).release(this.subscriptions, isConnected(this.connection)),
      ...this.consumers.map((consumer) => consumer.stop()),
    ]);
    await this.activeWork.whenIdle();
    // Answers to batches leave at the end of the turn in which they became ready.
    await nextTick();
    if (isConnected(this.connection)) await this.connection.flush();
  }

  on(): never {
    throw new Error('The bus reports on its connection through the log, not through events.');
  }

  unwrap<T>(): T {
    return this.connection as T;
  }

  private serve(subject: string, handler: MessageHandler): void {
    const { contract } = (handler.extras ?? {}) as Partial<HandlerExtras>;
    switch (contract?.kind) {
      case 'rpc':
        this.serveRequests(contract, handler);
        return;
      case 'signal':
        this.subscribe(subject, undefined, (message) => void this.handleSignal(handler, message));
        return;
      case 'event':
        this.consume(subject, handler);
        return;
      case undefined:
        throw new Error(`${subject} is handled without a contract; use @Handles, @OnEvent or @OnSignal.`);
    }
  }

  private subscribe(subject: string, queue: string | undefined, take: (message: Msg) => void): void {
    const request = { subject, ...(queue === undefined ? {} : { queue }), take };
    this.subscriptions.push(subscriptionsOf(this.connection).open(request));
  }

  private serveRequests(contract: Rpc, handler: MessageHandler): void {
    const { subject } = contract;
    const answer = (request: IncomingRequest): void => void this.answer(contract, handler, request);
    this.requestSubjects.push(subject);
    this.subscribe(subject, this.service, (message) => answer(this.readSingle(contract, message)));
    if (!contract.batching) return;
    this.subscribe(batchSubject(subject), this.service, (message) => {
      for (const request of this.readBatch(contract, message)) answer(request);
    });
  }

  private readSingle(contract: Rpc, message: Msg): IncomingRequest {
    return {
      message,
      received: readSingle(message, contract.timeoutMs, this.messageAge.maxMs()),
      respond: (reply) => this.respond(contract, message, reply),
    };
  }

  private readBatch(contract: Rpc, message: Msg): IncomingRequest[] {
    const items = readBatch(message.data);
    if (!items) return [{ ...this.readSingle(contract, message), received: undefined }];
    const answers = new AnswerStream({
      subject: contract.subject,
      requests: items.length,
      respond: (data) => void message.respond(data),
      maxBytes: this.connection.info?.max_payload,
      log: this.log,
    });
    const ageMs = this.messageAge.maxMs();
    return items.map((item, place) => ({
      message,
      received: readBatchItem(item, contract.timeoutMs, ageMs),
      respond: (reply) => answers.add(place, reply),
    }));
  }

  /**
   * Handles a request in its own call context, and answers it as soon as its result is ready. The caller does not await this work. A rejection that escaped here would end the process. */
  private async answer(contract: Rpc, handler: MessageHandler, request: IncomingRequest): Promise<void> {
    const { message, received, respond } = request;
    this.activeWork.begin();
    try {
      respond(received ? await this.replyTo(contract, handler, received) : this.refuseMalformed(contract, message));
    } catch (error) {
      this.log.error({ subject: contract.subject, reason: String(error) }, 'bus_message_failed');
    } finally {
      this.activeWork.end();
    }
  }

  private refuseMalformed({ subject }: Rpc, { data }: Msg): Reply {
    this.log.error({ subject, bytes: data.length }, 'bus_request_malformed');
    return { error: ApiError.internal().toPayload() };
  }

  private respond({ subject }: Rpc, message: Msg, reply: Reply): void {
    let data: Uint8Array | undefined;
    try {
      data = encode(reply);
      message.respond(data);
    } catch (error) {
      const maxBytes = this.connection.info?.max_payload;
      const replacement = replaceUnsent({ subject, bytes: data?.length, maxBytes, error }, this.log);
      if (!this.connection.isClosed()) message.respond(encode(replacement));
    }
  }

  private async replyTo(contract: Rpc, handler: MessageHandler, received: ReceivedItem): Promise<Reply> {
    const seconds = startStopwatch();
    let reply: Reply;
    try {
      reply = { ok: (await this.work(contract, handler, received)) ?? null };
    } catch (error) {
      reply = { error: (error instanceof ApiError ? error : ApiError.internal()).toPayload() };
    }
    meterHandler(contract.subject, 'ok' in reply ? 'ok' : outcomeOfCode(reply.error.code), seconds());
    return reply;
  }

  /** The caller of a request that is past its deadline has been told that it failed, so it must have no effect. */
  private hasTimeFor({ call }: ReceivedItem): boolean {
    return this.activeWork.size <= MAX_CONCURRENT_REQUESTS && call.deadlineAtMs > performance.now();
  }

  private work(contract: Rpc, handler: MessageHandler, received: ReceivedItem): Promise<unknown> {
    if (!this.hasTimeFor(received)) throw ApiError.unavailable('The service');
    const { request, call, traceparent } = received;
    return runInCall(call, () =>
      inTrace(traceparent, contract.subject, SERVER_SPAN, () => this.settleListed(contract, handler, request)),
    );
  }

  /** @throws ApiError that the contract lists, or a generic one without details. */
  private async settleListed(contract: Rpc, handler: MessageHandler, request: unknown): Promise<unknown> {
    const beganAtMs = performance.now();
    try {
      return await handler(request);
    } catch (error) {
      throw toListedError(contract, error, Math.round(performance.now() - beganAtMs), this.log);
    }
  }

  private async handleSignal(handler: MessageHandler, message: Msg): Promise<void> {
    this.activeWork.begin();
    try {
      const payload = decode(message.data);
      if (payload !== undefined) await handler(payload);
    } catch (error) {
      this.log.error({ subject: message.subject, reason: String(error) }, 'signal_not_handled');
    } finally {
      this.activeWork.end();
    }
  }

  private consume(subject: string, handler: MessageHandler): void {
    const consumer = new EventConsumer(this.connection, this.log, {
      service: this.service,
      subject,
      handler: async (payload, delivery) => void (await handler(payload, delivery)),
    });
    this.consumers.push(consumer);
    consumer.start();
  }
}

/** A single request, with its call context in headers; undefined if it is none. */
function readSingle({ data, headers }: Msg, defaultTimeoutMs: number, ageMs: number): ReceivedItem | undefined {
  const request = decode(data);
  if (request === undefined) return undefined;
  return { request, call: toCallContext(headers, defaultTimeoutMs, ageMs), traceparent: traceparentOf(headers) };
}

/** Passes every error to the bus server as it was thrown. Nest's own filter would replace it by one without details. */
@Catch()
export class PassThroughRpcFilter implements ExceptionFilter {
  catch(failure: unknown): never {
    throw failure;
  }
}
