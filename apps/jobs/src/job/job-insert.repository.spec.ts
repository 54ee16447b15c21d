import { queuedCostBefore } from './job-insert.repository';

describe('jobs that are stored together', () => {
  it('rank behind the jobs before them of the same account and model, by their prices', () => {
    const of = (account_id: string, model: string, price_micros: number) => ({ account_id, model, price_micros });
    const jobs = [of('a', 'one', 10), of('b', 'one', 10), of('a', 'one', 0), of('a', 'two', 5), of('a', 'one', 7)];
    expect(queuedCostBefore(jobs)).toEqual([0, 0, 10, 0, 11]);
  });
});
