import { BusModule, type NatsConnection, connectNats } from '@kinora/bus';
import { createTestLog, waitFor } from '@kinora/testing';
import { NatsCluster } from './nats-cluster';

const CLIENTS = 6;
/** Nine seconds to notice, and some more for a busy machine. */
const LEFT_WITHIN_MS = 40_000;

describe('a server that the network separates from the others', () => {
  const log = createTestLog();
  const connections: NatsConnection[] = [];
  let cluster: NatsCluster;

  beforeAll(async () => {
    cluster = await NatsCluster.start(3);
  });

  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await cluster.close();
  });

  const connectClient = async (name: string): Promise<void> => {
    const connection = await connectNats({ url: cluster.url, name, logger: log.logger });
    BusModule.forConnection(connection, log.logger);
    connections.push(connection);
  };

  it('is left by the clients that are connected to it, although they lose no connection', async () => {
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => connectClient(`client-${index}`)));
    for (const { name } of cluster.nodes) {
      cluster.separate(name);
      await waitFor(async () => (await cluster.clientsOf(name)).length === 0, { timeoutMs: LEFT_WITHIN_MS });
      cluster.separate(null);
      await cluster.untilHealthy();
    }
    const counts = await Promise.all(cluster.nodes.map(async ({ name }) => (await cluster.clientsOf(name)).length));
    expect(counts.reduce((sum, count) => sum + count)).toBe(CLIENTS);
  }, 240_000);
});
