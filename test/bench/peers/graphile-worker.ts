import { Logger, type Runner, type Task, makeWorkerUtils, run } from 'graphile-worker';
import { CONCURRENCY, type Payload, type QueuePeer, payloadOf } from './queue-peer';

const TASK = 'job';

/** graphile-worker is woken by LISTEN and NOTIFY. */
export async function startGraphileWorker(databaseUrl: string): Promise<QueuePeer> {
  const logger = new Logger(() => () => undefined);
  const connection = { connectionString: databaseUrl, maxPoolSize: 8, logger };
  const producer = await makeWorkerUtils(connection);
  await producer.migrate();
  let runner: Runner | null = null;
  return {
    enqueue: async (mark) => {
      await producer.addJob(TASK, payloadOf(mark));
    },
    work: async (onBegun) => {
      const task: Task = (payload) => onBegun((payload as Payload).mark);
      runner = await run({
        ...connection,
        concurrency: CONCURRENCY,
        noHandleSignals: true,
        taskList: { [TASK]: task },
      });
    },
    close: async () => {
      await runner?.stop();
      await producer.release();
    },
  };
}
