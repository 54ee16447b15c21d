import { randomUUID } from 'node:crypto';
import { event } from '@kinora/contracts/shared/contract';
import { type TestLog, connectTestBus, waitFor } from '@kinora/testing';
import { type ConsumerInfo, type Msg, nanos } from 'nats';
import type { NatsConnection } from './connection';
import {
  EventConsumer,
  type EventConsumerOptions,
  type EventHandler,
  durableName,
  redeliveryDelayMs,
} from './event-consumer';
import { EVENT_STREAM, EventPublisher } from './event-stream';
import { StuckConsumer } from './stuck-consumer';

describe('event consumer', () => {
  let connection: NatsConnection;
  let publisher: EventPublisher;
  let log: TestLog;
  const consumers: EventConsumer[] = [];

  beforeAll(async () => {
    ({ connection, log } = await connectTestBus());
    publisher = new EventPublisher(connection, log.logger);
  });

  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  });

  afterAll(() => connection.close());

  const uniqueEvent = () => event<{ id: number }>(`jobs.v1.event.event_consumer_spec_happened_${randomUUID()}`);

  function consume(subject: string, handler: EventHandler, options: Partial<EventConsumerOptions> = {}): EventConsumer {
    const consumer = new EventConsumer(connection, log.logger, { service: 'spec', subject, handler, ...options });
    consumer.start();
    consumers.push(consumer);
    return consumer;
  }

  async function infoOf(subject: string): Promise<ConsumerInfo> {
    const manager = await connection.jetstreamManager();
    for await (const info of manager.consumers.list(EVENT_STREAM))
      if (info.config.filter_subject === subject) return info;
    throw new Error(`no consumer of ${subject}`);
  }

  const isSettled = async (subject: string): Promise<boolean> => {
    const { num_pending, num_ack_pending } = await infoOf(subject);
    return num_pending === 0 && num_ack_pending === 0;
  };

  it('receives an event under the id of its message, which also travels as Nats-Msg-Id', async () => {
    const { subject } = uniqueEvent();
    const wire: Msg[] = [];
    connection.subscribe(subject, { callback: (_, message) => void wire.push(message) });
    const received: unknown[] = [];
    consume(subject, async (payload, delivery) => void received.push([payload, delivery]));
    await publisher.publish(subject, { id: 1 }, `${subject}-1`);
    await waitFor(() => received.length === 1);
    expect(received).toEqual([[{ id: 1 }, { messageId: `${subject}-1` }]]);
    expect(wire[0]?.headers?.get('Nats-Msg-Id')).toBe(`${subject}-1`);
  });

  it('receives an event once that was published twice under one id', async () => {
    const { subject } = uniqueEvent();
    const received: unknown[] = [];
    await publisher.publish(subject, { id: 1 }, `${subject}-1`);
    await publisher.publish(subject, { id: 1 }, `${subject}-1`);
    await publisher.publish(subject, { id: 2 }, `${subject}-2`);
    consume(subject, async (payload) => void received.push(payload));
    await waitFor(() => received.length === 2);
    expect(received).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('receives an event again after a failure, under the same id', async () => {
    const { subject } = uniqueEvent();
    const ids: string[] = [];
    consume(subject, async (_, { messageId }) => {
      ids.push(messageId);
      if (ids.length === 1) throw new Error('the database is away');
    });
    await publisher.publish(subject, { id: 1 }, `${subject}-1`);
    await waitFor(() => ids.length === 2);
    await waitFor(() => isSettled(subject));
    expect(ids).toEqual([`${subject}-1`, `${subject}-1`]);
    expect(log.of('event_not_handled').at(-1)).toMatchObject({ message_id: `${subject}-1` });
  });

  it('is redelivered with growing delays after failures, up to half a minute', () => {
    expect([1, 2, 3, 4, 100].map(redeliveryDelayMs)).toEqual([1_000, 5_000, 30_000, 30_000, 30_000]);
  });

  it('extends the time for an acknowledgement as long as the handler works', async () => {
    const { subject } = uniqueEvent();
    const acknowledgements: string[] = [];
    connection.subscribe(`$JS.ACK.${EVENT_STREAM}.${durableName('spec', subject)}.>`, {
      callback: (_, message) => void acknowledgements.push(message.string()),
    });
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let deliveries = 0;
    const handler = async (): Promise<void> => {
      deliveries += 1;
      await finished;
    };
    consume(subject, handler, { heartbeatMs: 5 });
    await publisher.publish(subject, { id: 1 }, `${subject}-1`);
    await waitFor(() => acknowledgements.length >= 3);
    finish();
    await waitFor(() => isSettled(subject));
    expect([deliveries, new Set(acknowledgements.slice(0, 3))]).toEqual([1, new Set(['+WPI'])]);
    const { ack_wait } = (await infoOf(subject)).config;
    expect(ack_wait).toBe(nanos(30_000));
  });

  it('keeps its place where its stream seems to have lost its end at one of two looks only', async () => {
    const { subject } = uniqueEvent();
    let received = 0;
    consume(subject, async () => void (received += 1));
    await publisher.publish(subject, { id: 1 }, `${subject}-1`);
    await waitFor(() => received === 1);
    const info = await infoOf(subject);
    const ahead = { ...info, delivered: { ...info.delivered, stream_seq: Number.MAX_SAFE_INTEGER } };
    expect(await new StuckConsumer(connection, log.logger).deleteIfAhead(ahead)).toBe(false);
    expect((await infoOf(subject)).created).toBe(info.created);
  });

  it('discards a malformed event at once, and logs it', async () => {
    const { subject } = uniqueEvent();
    const received: unknown[] = [];
    consume(subject, async (payload) => void received.push(payload));
    await connection.jetstream().publish(subject, '{"id": ');
    await publisher.publish(subject, { id: 2 }, `${subject}-2`);
    await waitFor(() => received.length === 1);
    await waitFor(() => isSettled(subject));
    expect(received).toEqual([{ id: 2 }]);
    expect(log.of('event_malformed').at(-1)).toMatchObject({ subject });
  });

  it('finishes the events under way when it stops, and leaves later ones to another replica', async () => {
    const { subject } = uniqueEvent();
    const begun: unknown[] = [];
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const leaving = consume(subject, async (payload) => {
      begun.push(payload);
      await finished;
    });
    await publisher.publish(subject, { id: 1 }, `${subject}-1`);
    await waitFor(() => begun.length === 1);
    const stopped = leaving.stop();
    await publisher.publish(subject, { id: 2 }, `${subject}-2`);
    const received: unknown[] = [];
    consume(subject, async (payload) => void received.push(payload));
    await waitFor(() => received.length === 1);
    finish();
    await stopped;
    expect([begun, received]).toEqual([[{ id: 1 }], [{ id: 2 }]]);
    await waitFor(() => isSettled(subject));
  });
});
