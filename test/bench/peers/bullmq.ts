import { Queue, Worker } from 'bullmq';
import { CONCURRENCY, type Payload, type QueuePeer, payloadOf } from './queue-peer';

const QUEUE = 'jobs';

/** BullMQ waits for work in Redis, with a blocking command. */
export async function startBullmq(redisPort: number): Promise<QueuePeer> {
  const connection = { host: '127.0.0.1', port: redisPort, maxRetriesPerRequest: null };
  const queue = new Queue<Payload>(QUEUE, { connection });
  await queue.waitUntilReady();
  let worker: Worker<Payload> | null = null;
  return {
    enqueue: async (mark) => {
      await queue.add('job', payloadOf(mark), { removeOnComplete: true });
    },
    work: async (onBegun) => {
      worker = new Worker<Payload>(QUEUE, async ({ data }) => onBegun(data.mark), {
        connection,
        concurrency: CONCURRENCY,
      });
      await worker.waitUntilReady();
    },
    close: async () => {
      await worker?.close();
      await queue.close();
    },
  };
}
