import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, type NatsConnection, nanos } from 'nats';
import { startStopwatch } from '@kinora/metrics';
import { type SpanShape, inTrace } from '@kinora/tracing';
import { RefusedByBroker, isRefusedByBroker } from './broker-refusals';
import type { BusLogger } from './bus-logger';
import { eventDuration, eventsPending } from './bus.metrics';
import { runInCall } from './call-context';
import { toCallContext, traceparentOf } from './call-headers';
import { refusalsOf } from './connection';
import { decode } from './envelope';
import { EVENT_STREAM, ensureEventStream, openManager } from './event-stream';
import type { EventDelivery } from './handles.decorator';
import { retryDelayMs } from './kept-subscriptions';
import { StuckConsumer } from './stuck-consumer';

/** The broker redelivers a message without acknowledgement after this time. A handler that takes longer extends it (`working`). */
const ACK_WAIT_MS = 30_000;
const HEARTBEAT_MS = ACK_WAIT_MS / 3;
/** Long enough to keep an idle consumer cheap, short enough to notice a deleted consumer soon. */
const FETCH_EXPIRES_MS = 5_000;
/** After a refusal. The service is ready again at the end of a fetch that the broker permits, so that end must come soon. */
const TRIAL_EXPIRES_MS = 1_000;
const RETRY_AFTER_FAILURE_MS = 1_000;
/** All fetched messages are handled at once. ack_wait starts at delivery, so no fetched message may wait in a queue. */
const CONCURRENT_MESSAGES = 16;
const REDELIVERY_DELAYS_MS = [1_000, 5_000, 30_000];

const CONSUMER_SPAN: SpanShape = { kind: 'consumer', attributes: { 'messaging.system': 'nats' } };

export type EventHandler = (payload: unknown, delivery: EventDelivery) => Promise<void>;

export interface EventConsumerOptions {
  service: string;
  subject: string;
  handler: EventHandler;
  heartbeatMs?: number;
}

/** One service's durable consumer of one kind of event. */
export class EventConsumer {
  private stopping = false;
  private running: Promise<void> | undefined;
  private wake: () => void = () => undefined;
  private readonly stuckConsumer: StuckConsumer;

  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: BusLogger,
    private readonly options: EventConsumerOptions,
  ) {
    this.stuckConsumer = new StuckConsumer(connection, logger);
  }

  start(): void {
    this.running = this.run();
  }

  /** Fetches no more messages and waits for those under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    const refusals = refusalsOf(this.connection);
    let consumer: Consumer | undefined;
    let handled = 0;
    let refusedTimes = 0;
    while (!this.stopping) {
      const startedAtMs = performance.now();
      try {
        consumer ??= await this.openConsumer();
        if (handled === 0 && (await this.isLost())) consumer = await this.openConsumer();
        handled = await this.handleNext(consumer, refusedTimes === 0 ? FETCH_EXPIRES_MS : TRIAL_EXPIRES_MS);
        if (this.isFetchRefusedSince(startedAtMs)) throw new RefusedByBroker(this.options.subject);
        refusedTimes = 0;
        refusals.remove('consume', this.options.subject);
      } catch (error) {
        [consumer, handled] = [undefined, 0];
        if (this.stopping) break;
        const isRefused = isRefusedByBroker(error);
        if (isRefused) refusals.add('consume', this.options.subject);
        this.logger.warn({ subject: this.options.subject, reason: String(error) }, 'event_consumer_interrupted');
        await this.pause(isRefused ? retryDelayMs((refusedTimes += 1)) : RETRY_AFTER_FAILURE_MS);
      }
    }
  }

  /** The client does not notify the sender of a refused fetch, which looks like a stream without events. */
  private isFetchRefusedSince(startedAtMs: number): boolean {
    return refusalsOf(this.connection).hasRefusedApiSince(this.fetchSubject, startedAtMs);
  }

  private get fetchSubject(): string {
    return `$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.${this.durable}`;
  }

  private get durable(): string {
    return durableName(this.options.service, this.options.subject);
  }

  private async openConsumer(): Promise<Consumer> {
    await ensureEventStream(this.connection);
    const manager = await openManager(this.connection);
    await manager.consumers.add(EVENT_STREAM, {
      durable_name: this.durable,
      filter_subject: this.options.subject,
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 1_000,
    });
    return await this.connection.jetstream().consumers.get(EVENT_STREAM, this.durable);
  }

  private async handleNext(consumer: Consumer, expires: number): Promise<number> {
    const messages = await consumer.fetch({ max_messages: CONCURRENT_MESSAGES, expires });
    // Otherwise a refused fetch would look like an idle one until it expires.
    refusalsOf(this.connection).onApiRefused(this.fetchSubject, () => messages.stop());
    this.wake = () => messages.stop();
    if (this.stopping) this.wake();
    const underWay: Promise<void>[] = [];
    for await (const message of messages) underWay.push(this.handle(message));
    await Promise.all(underWay);
    return underWay.length;
  }

  /**
   * At the start and after an empty fetch. The store may have been deleted, in which case the info request rejects, or have lost its
   * end, in which case the consumer is deleted.
   */
  private async isLost(): Promise<boolean> {
    const { consumers } = await openManager(this.connection);
    const info = await consumers.info(EVENT_STREAM, this.durable);
    this.reportPending(info.num_pending);
    return await this.stuckConsumer.deleteIfAhead(info);
  }

  private reportPending(count: number): void {
    eventsPending.set({ subject: this.options.subject }, count);
  }

  private async handle(message: JsMsg): Promise<void> {
    const seconds = startStopwatch();
    const outcome = await this.workOn(message);
    eventDuration.of({ subject: this.options.subject, outcome }).observe(seconds());
    this.reportPending(message.info.pending);
  }

  private async workOn(message: JsMsg): Promise<'ok' | 'failed' | 'malformed'> {
    const payload = decode(message.data);
    if (payload === undefined) {
      this.logger.error({ subject: message.subject, seq: message.seq }, 'event_malformed');
      message.term();
      return 'malformed';
    }
    const messageId = message.headers?.get('Nats-Msg-Id') || `${EVENT_STREAM}-${message.seq}`;
    const heartbeat = setInterval(() => message.working(), this.options.heartbeatMs ?? HEARTBEAT_MS);
    try {
      const call = toCallContext(message.headers, ACK_WAIT_MS);
      await runInCall(call, () =>
        inTrace(traceparentOf(message.headers), message.subject, CONSUMER_SPAN, () =>
          this.options.handler(payload, { messageId }),
        ),
      );
      message.ack();
      return 'ok';
    } catch (error) {
      this.logger.warn({ subject: message.subject, message_id: messageId, reason: String(error) }, 'event_not_handled');
      message.nak(redeliveryDelayMs(message.info.redeliveryCount));
      return 'failed';
    } finally {
      clearInterval(heartbeat);
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Name of a service's durable consumer of an event. Broker permissions and autoscaling by its lag use the same name. */
export function durableName(service: string, subject: string): string {
  return `${service}-${subject.replace(/\W+/g, '-')}`;
}

/** Delay before the broker redelivers an event, by the number of deliveries so far. */
export function redeliveryDelayMs(deliveries: number): number {
  return REDELIVERY_DELAYS_MS[Math.min(deliveries, REDELIVERY_DELAYS_MS.length) - 1] ?? RETRY_AFTER_FAILURE_MS;
}
