import { EventPublisher, connectNats } from '@kinora/bus';
import { createTestLog, waitFor } from '@kinora/testing';
import { STACK_CREDENTIALS, USERS, natsCommands, runNatsCommand } from './administrator';
import { NatsCluster } from './nats-cluster';

describe("the runbook's commands for NATS", () => {
  let cluster: NatsCluster;

  beforeAll(async () => {
    cluster = await NatsCluster.start(3, USERS);
  });

  afterAll(() => cluster.close());

  it('show the stream, and give it the copies that it lacks, with the rights of the administrator', async () => {
    const { logger } = createTestLog();
    const [user, password] = STACK_CREDENTIALS.split(':');
    const connection = await connectNats({
      url: cluster.urlAs(user, password),
      name: 'jobs',
      logger,
      streamReplicas: 1,
    });
    const publisher = new EventPublisher(connection, logger);
    const isStored = (): Promise<boolean> =>
      publisher.publish('jobs.v1.event.spec_happened', { id: 'one' }, 'one').then(
        () => true,
        () => false,
      );
    // A new cluster first elects its leaders.
    await waitFor(isStored);
    expect(await cluster.stream()).toMatchObject({ replicas: 1 });
    await connection.close();

    const [node] = cluster.nodes;
    const outputs: string[] = [];
    for (const command of await natsCommands()) outputs.push(await runNatsCommand(command, node?.port ?? 0));
    expect(outputs[0]).toMatch(/Subjects: .*\bjobs\.v1\.event\.>[\s\S]*Replicas: 1/);
    await waitFor(async () => {
      const { replicas, leader, isCurrent } = await cluster.stream();
      return replicas === 3 && leader !== null && isCurrent;
    });
    expect(outputs).toHaveLength(2);
  });
});
