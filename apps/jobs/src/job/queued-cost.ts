import type { NewJob } from './job.entity';

type QueuedJob = Pick<NewJob, 'account_id' | 'model' | 'price_micros'>;

/** For each job of a batch: the cost in micros of the same account's jobs before it at the same model. A free job costs 1. */
export function queuedCostBefore(jobs: QueuedJob[]): number[] {
  const costByQueue = new Map<string, number>();
  return jobs.map(({ account_id, model, price_micros }) => {
    const queue = `${account_id} ${model}`;
    const before = costByQueue.get(queue) ?? 0;
    costByQueue.set(queue, before + Math.max(price_micros, 1));
    return before;
  });
}
