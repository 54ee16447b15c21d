import PgBoss from 'pg-boss';
import { CONCURRENCY, type Payload, type QueuePeer, payloadOf } from './queue-peer';

const QUEUE = 'jobs';

/** pg-boss polls PostgreSQL twice a second, its shortest interval. */
export async function startPgBoss(databaseUrl: string): Promise<QueuePeer> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 8 });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);
  return {
    enqueue: async (mark) => {
      await boss.send(QUEUE, payloadOf(mark));
    },
    work: async (onBegun) => {
      await boss.work<Payload>(QUEUE, { batchSize: CONCURRENCY, pollingIntervalSeconds: 0.5 }, async (jobs) => {
        for (const { data } of jobs) onBegun(data.mark);
      });
    },
    close: () => boss.stop({ graceful: false, wait: true }),
  };
}
