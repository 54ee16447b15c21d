import type { Bus } from '@kinora/bus';
import type { SearchJobsRequest } from '@kinora/contracts/jobs/own-jobs.rpc';
import { statement } from '@kinora/database';
import { RANDOM_ID_SQL } from '@kinora/testing';
import { UrlSigner } from '@kinora/object-store';
import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../test/spec-database.fixtures';
import { insertUsedJob, type UsedJob } from '../../test/used-job.fixtures';
import { JobPresenter } from '../job/job.view';
import { UsageRepository } from '../usage/usage.repository';
import { ShowUsageDetails } from '../usage/use-cases/get-usage.query';
import { JOBS_SEARCHED_A_PAGE, JobSearchRepository } from './job-search.repository';
import { SearchJobs } from './use-cases/search-jobs.query';

const FILL = statement(
  'spec_fill_jobs_to_search',
  `INSERT INTO job (id, account_id, model, status, created_at, price_micros, kind, input, images, provider, plan,
                    input_decision_id, retention_days, completed_at, moderation_status)
   SELECT ${RANDOM_ID_SQL}, $1, 'one', 'canceled', timestamptz '2026-03-01T00:00:00Z' - n * interval '1 minute', 1,
          'image.generation', '{"prompt": "common"}', '[]', 'sandbox', '{}', $1, 7, '2026-03-01T00:00:00Z', 'passed'
     FROM generate_series(1, ${JOBS_SEARCHED_A_PAGE}) AS n`,
);

describe('what the console shows beyond the public API', () => {
  const database = useDatabase();
  const urls = new UrlSigner({ publicUrl: 'http://kinora.test', signingKey: 'k'.repeat(32) });
  // The hash of a key is its account here.
  const bus = { request: (_contract: unknown, { key_sha256 }: { key_sha256: string }) => ({ account_id: key_sha256 }) };
  const searchJobs = new SearchJobs(bus as unknown as Bus, new JobSearchRepository(database), new JobPresenter(urls));
  const showUsage = new ShowUsageDetails(bus as unknown as Bus, new UsageRepository(database));
  const accountId = uuidv7();
  const insert = (prompt: string, job: Partial<UsedJob> = {}) =>
    insertUsedJob(database, { accountId, at: '2026-03-01T12:00:00Z', input: { prompt }, ...job });
  const find = async (asked: Partial<SearchJobsRequest>) => {
    const { data } = await searchJobs.execute({ key_sha256: accountId, limit: 20, ...asked });
    return data.map(({ input }) => input.prompt);
  };

  beforeAll(async () => {
    await insert('A lighthouse in a storm', { at: '2026-03-03T00:00:00Z' });
    await insert('A LIGHTHOUSE at noon', { at: '2026-03-02T23:59:59.999Z', status: 'failed', model: 'two' });
    await insert('100% wool', { at: '2026-03-01T00:00:00Z' });
    await insert('', { at: '2026-02-28T23:59:59Z' });
    await insert('A lighthouse of another account', { accountId: uuidv7() });
  });

  it.each([
    [{ words: 'lighthouse' }, ['A lighthouse in a storm', 'A LIGHTHOUSE at noon']],
    [{ words: ' storm  light ' }, ['A lighthouse in a storm']],
    [{ words: '0%' }, ['100% wool']],
    [{ words: '_' }, []],
    [{ words: String.raw`\ ` }, []],
    [{ words: 'lighthouse', status: 'failed' }, ['A LIGHTHOUSE at noon']],
    [{ words: 'lighthouse', model: 'one' }, []],
    [{ from: '2026-03-02', to: '2026-03-02' }, ['A LIGHTHOUSE at noon']],
    [{ from: '2026-03-01', words: 'o' }, ['A lighthouse in a storm', 'A LIGHTHOUSE at noon', '100% wool']],
    [{ to: '2026-02-28' }, ['']],
    [{ kind: 'image.generation', limit: 1 }, ['A lighthouse in a storm']],
    [{ kind: 'video.generation' }, []],
  ] as const)('finds by %j, in the own account', async (asked, prompts) => {
    expect(await find(asked)).toEqual(prompts);
  });

  it.each([
    [{ words: 'x'.repeat(201) }, 'words'],
    [{ words: '\0' }, 'words'],
    [{ from: '2026-02-30' }, 'from'],
    [{ to: 'today' }, 'to'],
    [{ kind: 'song' as never }, 'kind'],
    [{ status: 'lost' as never }, 'status'],
    [{ limit: 0 }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
  ])('refuses %j', async (asked, param) => {
    await expect(find(asked)).rejects.toMatchObject({ code: 'invalid_query', param });
  });

  it('reads a part of the jobs for each page, and reaches the rare one by its cursors', async () => {
    const many = uuidv7();
    await insert('rare', { accountId: many, at: '2026-01-01T00:00:00Z' });
    await database.execute(FILL, [many]);
    const first = await searchJobs.execute({ key_sha256: many, limit: 20, words: 'rare' });
    expect(first).toMatchObject({ data: [], has_more: true });
    const second = await searchJobs.execute({
      key_sha256: many,
      limit: 20,
      words: 'rare',
      cursor: String(first.next_cursor),
    });
    expect(second).toMatchObject({ data: [{ input: { prompt: 'rare' } }], has_more: false, next_cursor: null });
  });

  it('shows spend by day and model, and how long jobs took', async () => {
    const used = uuidv7();
    const add = (at: string, model: string, priceMicros: number, status: UsedJob['status'] = 'succeeded') =>
      insertUsedJob(database, { accountId: used, at, model, priceMicros, status });
    await add('2026-03-01T01:00:00Z', 'one', 5);
    await add('2026-03-01T02:00:00Z', 'one', 6);
    await add('2026-03-01T02:00:00Z', 'two', 7);
    await add('2026-03-02T00:00:00Z', 'two', 8);
    await add('2026-03-02T00:00:00Z', 'three', 9, 'failed');
    const period = { from: '2026-03-01', to: '2026-03-03' };
    expect(await showUsage.execute({ key_sha256: used, ...period })).toEqual({
      spend: [
        { day: '2026-03-01', model: 'one', charged_micros: 11 },
        { day: '2026-03-01', model: 'two', charged_micros: 7 },
        { day: '2026-03-02', model: 'two', charged_micros: 8 },
      ],
      latency: { jobs: 4, p50_ms: 0, p95_ms: 0 },
    });
    expect(await showUsage.execute({ key_sha256: uuidv7(), ...period })).toEqual({ spend: [], latency: null });
  });
});
