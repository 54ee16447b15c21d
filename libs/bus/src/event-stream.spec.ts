import { TestBroker, createTestLog } from '@kinora/testing';
import { type JetStreamManager } from 'nats';
import { type NatsConnection, connectNats } from './connection';
import { EVENT_STREAM, EventPublisher } from './event-stream';

describe('the event stream', () => {
  const { logger } = createTestLog();
  let broker: TestBroker;
  let connection: NatsConnection;
  let publisher: EventPublisher;
  let manager: JetStreamManager;

  beforeAll(async () => {
    broker = await TestBroker.start();
    connection = await connectNats({ url: broker.url, name: 'event_stream_spec', logger });
    publisher = new EventPublisher(connection, logger);
    manager = await connection.jetstreamManager();
  });
  afterEach(() => manager.streams.delete(EVENT_STREAM));
  afterAll(async () => {
    await connection.close();
    await broker.close();
  });

  async function subjects(): Promise<string[]> {
    return (await manager.streams.info(EVENT_STREAM)).config.subjects;
  }

  it('names each context, because current servers refuse a wildcard that covers their own subjects', async () => {
    await publisher.publish('jobs.v1.event.happened', {}, 'one');
    expect(await subjects()).toContain('jobs.v1.event.>');
    for (const subject of await subjects()) expect(subject).toMatch(/^[a-z]/);
  });

  it('of an older version gets the subjects of this one, and keeps its events and the subjects of a newer one', async () => {
    const older = { name: EVENT_STREAM, subjects: ['jobs.v1.event.>', 'later.v1.event.>'] };
    await manager.streams.add(older);
    await publisher.publish('jobs.v1.event.happened', {}, 'one');
    await publisher.keepStream();
    await publisher.publish('moderation.v1.event.happened', {}, 'two');
    expect(await subjects()).toEqual([...older.subjects, ...['billing', 'catalog', 'moderation', 'webhooks'].map(of)]);
    expect((await manager.streams.info(EVENT_STREAM)).state.messages).toBe(2);
  });
});

function of(context: string): string {
  return `${context}.v1.event.>`;
}
