import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../../test/spec-database.fixtures';
import { JobCountsRepository } from '../job-counts.repository';
import { insertUsedJob } from '../../../test/used-job.fixtures';
import { ShowTotals } from './show-totals.query';

const SETTLE = statement('spec_settle', 'UPDATE job SET settled_at = completed_at WHERE id = $1');
/** Ids hold the time of creation: one of two hours ago counts for the day only, one of two days ago for neither. */
const AGE = statement('spec_age', 'UPDATE job SET id = $2 WHERE id = $1');
const HOUR_MS = 3600_000;

describe('show totals', () => {
  const database = useDatabase();

  const insert = (status: 'queued' | 'processing' | 'failed', model: string, secondsAgo: number) =>
    insertUsedJob(database, {
      ...{ accountId: uuidv7(), status, model },
      at: new Date(Date.now() - secondsAgo * 1_000).toISOString(),
    });

  it('is empty where nothing happens', async () => {
    expect(await new ShowTotals(new JobCountsRepository(database)).execute()).toEqual({
      ...{ created_per_second: 0, model_queues: [], unsettled_jobs: 0, oldest_unsettled_seconds: 0, errors: [] },
    });
  });

  it('counts queues by model, failures by age, and ended jobs that are not settled', async () => {
    await insert('queued', 'one', 50);
    await insert('queued', 'one', 500);
    await insert('processing', 'one', 5);
    await insert('processing', 'two', 5);
    await insert('failed', 'one', 100);
    const settled = await insert('failed', 'one', 900);
    await database.execute(SETTLE, [settled]);
    for (const hours of [2, 48]) {
      const old = await insert('failed', 'one', 100);
      await database.execute(AGE, [old, uuidv7({ msecs: Date.now() - hours * HOUR_MS })]);
    }
    const totals = await new ShowTotals(new JobCountsRepository(database)).execute();
    expect(totals.model_queues).toEqual([
      { model: 'one', waiting: 2, processing: 1, oldest_waiting_seconds: expect.any(Number) as number },
      { model: 'two', waiting: 0, processing: 1, oldest_waiting_seconds: null },
    ]);
    // The test may be slow, so that ages are lower bounds.
    expect(totals.model_queues[0]?.oldest_waiting_seconds).toBeGreaterThanOrEqual(500);
    expect(totals).toMatchObject({
      unsettled_jobs: 3,
      errors: [{ code: 'provider_error', last_hour: 2, last_day: 3 }],
    });
    expect(totals.oldest_unsettled_seconds).toBeGreaterThanOrEqual(100);
    expect(totals.oldest_unsettled_seconds).toBeLessThan(900);
  });

  it('serves many pages from one read', async () => {
    let reads = 0;
    const counts = Object.assign(new JobCountsRepository(database), {
      countCreated: () => Promise.resolve((reads += 1) * 100),
    });
    const totals = new ShowTotals(counts);
    const [first, second] = await Promise.all([totals.execute(), totals.execute()]);
    expect([first.created_per_second, second.created_per_second, reads]).toEqual([10, 10, 1]);
  });
});
