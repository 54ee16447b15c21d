import { EVENT_STREAM, EventPublisher, type NatsConnection, connectNats } from '@kinora/bus';
import { createTestLog, waitFor } from '@kinora/testing';
import { NatsCluster } from './nats-cluster';

describe('the replicas of the event stream', () => {
  const log = createTestLog();
  const connections: NatsConnection[] = [];
  let cluster: NatsCluster;

  afterEach(async () => {
    await Promise.all(connections.splice(0).map((connection) => connection.close()));
    await cluster.close();
  });

  async function publisher(streamReplicas: number | null): Promise<EventPublisher> {
    const connection = await connectNats({ url: cluster.url, name: 'jobs', logger: log.logger, streamReplicas });
    connections.push(connection);
    return new EventPublisher(connection, log.logger);
  }

  /** As the outbox does: again until the broker has the event. A new cluster first elects its leaders. */
  async function publish(to: EventPublisher, id: string): Promise<void> {
    const isStored = (): Promise<boolean> =>
      to.publish('jobs.v1.event.spec_happened', { id }, id).then(
        () => true,
        () => false,
      );
    await waitFor(isStored);
  }

  async function untilReplicas(count: number, keeper: EventPublisher): Promise<void> {
    await waitFor(async () => {
      await keeper.keepStream().catch(() => undefined);
      const { replicas, isCurrent } = await cluster.stream();
      return replicas === count && isCurrent;
    });
  }

  async function storedCount(): Promise<number> {
    const { streams } = await (connections[0] as NatsConnection).jetstreamManager();
    return (await streams.info(EVENT_STREAM)).state.messages;
  }

  it('are three in a cluster of three, also for a stream that exists with one', async () => {
    cluster = await NatsCluster.start(3);
    const earlier = await publisher(1);
    await publish(earlier, 'one');
    expect(await cluster.stream()).toMatchObject({ replicas: 1 });
    const publishes = await publisher(null);
    await publish(publishes, 'two');
    expect(await cluster.stream()).toMatchObject({ replicas: 1 });
    await untilReplicas(3, publishes);
    expect(log.of('event_stream_replicas_changed')).toContainEqual(expect.objectContaining({ before: 1, replicas: 3 }));
    expect(await storedCount()).toBe(2);
    await untilReplicas(1, earlier);
    expect(await storedCount()).toBe(2);
  });

  it('are three from the beginning, although a server is away', async () => {
    cluster = await NatsCluster.start(3);
    await cluster.kill('n3');
    const publishes = await publisher(null);
    await publish(publishes, 'one');
    expect(await cluster.stream()).toMatchObject({ replicas: 3 });
    await cluster.startAgain('n3');
    await waitFor(async () => (await cluster.stream()).isCurrent);
    expect(await storedCount()).toBe(1);
  });

  it('are one in a cluster of two, also where the setting names three', async () => {
    cluster = await NatsCluster.start(2);
    const demands = await publisher(3);
    await publish(demands, 'one');
    // The refusal is logged each minute, until servers join or return.
    await expect(demands.keepStream()).rejects.toThrow();
    await (await publisher(null)).keepStream();
    expect(await cluster.stream()).toMatchObject({ replicas: 1 });
  });
});
