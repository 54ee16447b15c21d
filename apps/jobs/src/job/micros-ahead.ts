import type { NewJob } from './job.row';

type Waiting = Pick<NewJob, 'account_id' | 'model' | 'price_micros'>;

/** For each job of a set, what comes before it in the set of the same account for the same model; the free count as next to nothing. */
export function microsAhead(jobs: Waiting[]): number[] {
  const seen = new Map<string, number>();
  return jobs.map(({ account_id, model, price_micros }) => {
    const lane = `${account_id} ${model}`;
    const ahead = seen.get(lane) ?? 0;
    seen.set(lane, ahead + Math.max(price_micros, 1));
    return ahead;
  });
}
