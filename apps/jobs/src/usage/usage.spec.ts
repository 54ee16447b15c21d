import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../test/spec-database.fixtures';
import { GetUsage } from './use-cases/get-usage.query';
import { type UsedJob, insertUsedJob } from '../../test/used-job.fixtures';
import { UsageRepository } from './usage.repository';

describe('usage', () => {
  const database = useDatabase();

  const getUsage = new GetUsage(new UsageRepository(database));

  const insert = (job: UsedJob): Promise<string> => insertUsedJob(database, job);

  it('counts the jobs of each UTC day by status, with their cost', async () => {
    const accountId = uuidv7();
    await insert({ accountId, at: '2026-03-02T00:00:00Z', status: 'processing', priceMicros: 40_000 });
    await insert({ accountId, at: '2026-03-02T23:59:59.999Z', status: 'queued', priceMicros: 5_000 });
    await insert({ accountId, at: '2026-03-01T23:59:59.999Z', gpuMs: 1_500 });
    await insert({ accountId, at: '2026-03-01T08:00:00Z', gpuMs: 700 });
    await insert({ accountId, at: '2026-03-01T08:00:00Z', status: 'failed', gpuMs: 30 });
    await insert({ accountId, at: '2026-03-01T08:00:00Z', status: 'canceled' });
    await insert({ accountId: uuidv7(), at: '2026-03-01T08:00:00Z' });

    const params = { from: '2026-02-01', to: '2026-04-01' };
    const first = { jobs: 4, succeeded: 2, failed: 1, canceled: 1, in_flight: 0, gpu_ms: 2_230 };
    const second = { jobs: 2, succeeded: 0, failed: 0, canceled: 0, in_flight: 2, gpu_ms: 0 };
    expect(await getUsage.execute({ account_id: accountId, group_by: 'day', ...params })).toEqual({
      object: 'usage',
      from: '2026-02-01T00:00:00.000Z',
      to: '2026-04-01T00:00:00.000Z',
      group_by: 'day',
      total: {
        jobs: 6,
        succeeded: 2,
        failed: 1,
        canceled: 1,
        in_flight: 2,
        charged_micros: 85_000,
        charged_usd: 0.085,
        gpu_ms: 2_230,
      },
      data: [
        { day: '2026-03-01', ...first, charged_micros: 40_000, charged_usd: 0.04 },
        { day: '2026-03-02', ...second, charged_micros: 45_000, charged_usd: 0.045 },
      ],
      truncated: false,
    });
  });

  it('lists the most expensive model first, and sums exactly', async () => {
    const accountId = uuidv7();
    const at = '2026-03-01T08:00:00Z';
    await insert({ accountId, at, model: 'a-free-one', status: 'failed', priceMicros: 9_000_000 });
    for (const model of ['cheap-2', 'cheap-4', 'cheap-1', 'cheap-3'])
      await insert({ accountId, at, model, priceMicros: 5_000 });
    await insert({ accountId, at, model: 'dear', priceMicros: Number.MAX_SAFE_INTEGER - 30_001 });
    await insert({ accountId, at, model: 'dear', priceMicros: 10_001 });
    const params = { from: '2026-03-01', to: '2026-03-02' };
    const { total, data } = await getUsage.execute({ account_id: accountId, group_by: 'model', ...params });
    expect(data).toMatchObject([
      { model: 'dear', jobs: 2, charged_micros: Number.MAX_SAFE_INTEGER - 20_000 },
      { model: 'cheap-1', charged_micros: 5_000, charged_usd: 0.005 },
      { model: 'cheap-2' },
      { model: 'cheap-3' },
      { model: 'cheap-4' },
      { model: 'a-free-one', failed: 1, charged_micros: 0 },
    ]);
    expect(total).toMatchObject({ jobs: 7, failed: 1, charged_micros: Number.MAX_SAFE_INTEGER });
  });
});
