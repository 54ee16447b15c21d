import { PAGE_MAX_BYTES } from '@kinora/bus';
import { UrlSigner } from '@kinora/object-store';
import { statement } from '@kinora/database';
import { JOB_STATUSES, type JobList } from '@kinora/contracts/jobs/job';
import type { FinishedPage, ListJobsRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { v7 as uuidv7 } from 'uuid';
import { RANDOM_ID_SQL } from '@kinora/testing';
import { useDatabase } from '../../test/spec-database.fixtures';
import { insertUsedJob } from '../../test/used-job.fixtures';
import { ListFinishedJobs } from './use-cases/list-finished-jobs.query';
import { ListJobs } from './use-cases/list-jobs.query';
import { encodeCursor, LIST_PAGE_MAX_BYTES } from '../job/cursor';
import { JobPresenter } from '../job/job.view';
import { JobRepository } from '../job/job.repository';

/** Jobs that ended a minute apart, so that the newest and the rarest are far from each other. One in 5,000 matches the filter. */
const FILL = `
  INSERT INTO job (id, account_id, model, status, created_at, price_micros, kind, input, images, provider, plan,
                   input_decision_id, retention_days, completed_at, moderation_status, error_code)
  SELECT ${RANDOM_ID_SQL}, $1, CASE WHEN n % 5000 = 1 THEN 'rare' ELSE 'common' END, CASE WHEN n % 5000 = 0 THEN 'failed' ELSE 'canceled' END,
         timestamptz '2026-03-01T00:00:00Z' - n * interval '1 minute', 1, 'image.generation', '{}', '[]', 'sandbox', '{}', $1, 7,
         '2026-03-01T00:00:00Z', 'passed', CASE WHEN n % 5000 = 0 THEN 'provider_error' END
    FROM generate_series(1, 20000) AS n`;

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** How many rows of `job` a plan has read, including filtered ones. */
function rowsRead({ 'Actual Rows': rows, 'Actual Loops': loops, Plans: parts = [], ...node }: PlanNode): number {
  const own = node['Relation Name'] === 'job_first' ? (rows + (node['Rows Removed by Filter'] ?? 0)) * loops : 0;
  return parts.reduce((sum, part) => sum + rowsRead(part), own);
}

describe('list jobs', () => {
  const database = useDatabase();

  const urls = new UrlSigner({ publicUrl: 'http://kinora.test', signingKey: 'k'.repeat(32) });
  const presenter = new JobPresenter(urls);
  const listJobs = new ListJobs(new JobRepository(database), presenter);

  const at = (second: number): string => `2026-03-01T00:00:${second}Z`;
  const idsOf = ({ data }: JobList): string[] => data.map(({ id }) => id);
  const insertAt = (accountId: string, at: string, status: 'queued' | 'failed' = 'queued', model = 'one') =>
    insertUsedJob(database, { accountId, at, status, model });

  /** All pages, newest first; `between` runs between two pages. */
  const nextPages = async (request: ListJobsRequest, between?: () => Promise<unknown>): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await listJobs.execute({ ...request, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.has_more).toBe(page.next_cursor !== null);
      expect(page.next_cursor?.length ?? 0).toBeLessThanOrEqual(200);
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
      await between?.();
    }
    return seen;
  };

  it('shows each job once, newest first, while jobs are created, also with others of the same millisecond', async () => {
    const account_id = uuidv7();
    const ids: string[] = [];
    for (let second = 0; second < 6; second++)
      for (let twin = 0; twin < 3; twin++) ids.push(await insertAt(account_id, `2026-03-01T00:00:0${second}.007Z`));
    const arrive = () => insertAt(account_id, '2026-03-01T00:01:00Z');
    const seen = await nextPages({ account_id, limit: 2 }, arrive);
    expect([...seen].sort()).toEqual([...ids].sort());
    const times = seen.map((id) => Math.floor(ids.indexOf(id) / 3));
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  it('filters by status, by model and by both, and reports the last page', async () => {
    const account_id = uuidv7();
    const wanted = await insertAt(account_id, '2026-03-01T00:00:01Z', 'failed', 'two');
    const sameModel = await insertAt(account_id, '2026-03-01T00:00:02Z', 'queued', 'two');
    const sameStatus = await insertAt(account_id, '2026-03-01T00:00:03Z', 'failed', 'one');
    const list = (filter: Partial<ListJobsRequest>) => nextPages({ account_id, limit: 1, ...filter });
    expect(await list({})).toEqual([sameStatus, sameModel, wanted]);
    expect(await list({ status: 'failed' })).toEqual([sameStatus, wanted]);
    expect(await list({ model: 'two' })).toEqual([sameModel, wanted]);
    expect(await list({ model: 'two', status: 'failed' })).toEqual([wanted]);
    expect(await listJobs.execute({ account_id, limit: 1, model: 'unknown' })).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      next_cursor: null,
    });
    expect(await listJobs.execute({ account_id, limit: 3 })).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('accepts the cursor of another account or filter as a point in time', async () => {
    const [mine, other] = [uuidv7(), uuidv7()];
    const older = await insertAt(mine, '2026-03-01T00:00:01Z');
    await insertAt(mine, '2026-03-01T00:00:05Z');
    await insertAt(other, '2026-03-01T00:00:02Z');
    await insertAt(other, '2026-03-01T00:00:03Z');
    const { next_cursor } = await listJobs.execute({ account_id: other, limit: 1, status: 'queued' });
    expect(
      idsOf(await listJobs.execute({ account_id: mine, limit: 5, cursor: next_cursor ?? '', model: 'one' })),
    ).toEqual([older]);
  });

  describe('with pages over the size limit', () => {
    const bytesOf = (page: JobList): number => Buffer.byteLength(JSON.stringify(page.data));
    /** The largest possible video job has 94,124 bytes. */
    const input = { prompt: '\u0001'.repeat(94_000 / 6) };

    it('cuts pages by bytes: each job is shown once, and no page exceeds the limit', async () => {
      const account_id = uuidv7();
      const ids: string[] = [];
      for (let second = 10; second < 40; second++)
        ids.unshift(await insertUsedJob(database, { accountId: account_id, at: at(second), input }));
      const first = await listJobs.execute({ account_id, limit: 100 });
      expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) as string });
      expect(bytesOf(first)).toBeLessThanOrEqual(LIST_PAGE_MAX_BYTES);
      expect(bytesOf(first)).toBeGreaterThan(LIST_PAGE_MAX_BYTES - 2 * 94_124);
      expect(await nextPages({ account_id, limit: 100 })).toEqual(ids);
    });

    it('shows a job that is larger than the limit alone', async () => {
      const account_id = uuidv7();
      const huge = { prompt: 'x'.repeat(2 * LIST_PAGE_MAX_BYTES) };
      const ids: string[] = [];
      for (const second of [12, 11, 10])
        ids.push(await insertUsedJob(database, { accountId: account_id, at: at(second), input: huge }));
      expect(idsOf(await listJobs.execute({ account_id, limit: 100 }))).toEqual(ids.slice(0, 1));
      expect(await nextPages({ account_id, limit: 100 })).toEqual(ids);
    });

    it('counts the signed URLs in the size of a page', async () => {
      const account_id = uuidv7();
      for (const second of [10, 11, 12])
        await insertUsedJob(database, {
          accountId: account_id,
          at: at(second),
          images: ['outputs/a/0.png'],
        });
      const links = {
        signLink: async (key: string) => `https://s3.example/${key}?${'x'.repeat(LIST_PAGE_MAX_BYTES / 2)}`,
      };
      const list = new ListJobs(new JobRepository(database), new JobPresenter(links));
      const page = await list.execute({ account_id, limit: 100 });
      expect([page.data.length, page.has_more]).toEqual([1, true]);
    });

    it('applies to the list of finished jobs as well', async () => {
      const accountId = uuidv7();
      const ids: string[] = [];
      for (let second = 10; second < 40; second++) {
        const job = { accountId, at: at(second), input, webhookUrl: 'https://hooks.example/' };
        ids.push(await insertUsedJob(database, job));
      }
      const listFinished = new ListFinishedJobs(new JobRepository(database), presenter);
      const seen: string[] = [];
      let page: FinishedPage = { finished: [], next: null, has_more: true, read_at: '' };
      while (page.has_more) {
        page = await listFinished.execute({ after: page.next, limit: 16 });
        expect(Buffer.byteLength(JSON.stringify(page.finished))).toBeLessThanOrEqual(PAGE_MAX_BYTES);
        seen.push(...page.finished.map(({ job }) => job.id));
      }
      expect(seen).toEqual(ids);
    });
  });

  const countReadRows = async (work: () => Promise<unknown>): Promise<number> => {
    const querySpy = jest.spyOn(database, 'query');
    await work();
    const [list, values] = querySpy.mock.lastCall ?? [];
    querySpy.mockRestore();
    const explain = statement('', `EXPLAIN (ANALYZE, FORMAT JSON) ${list?.text ?? ''}`);
    const [plan] = await database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain, values);
    return plan?.['QUERY PLAN'].reduce((sum, { Plan }) => sum + rowsRead(Plan), 0) ?? 0;
  };

  it('reads hardly more rows than it shows, for every filter and any number of jobs', async () => {
    const accountId = uuidv7();
    // Disables the triggers, which would take twenty thousand locks in one transaction.
    await database.execute(statement('', 'ALTER TABLE job DISABLE TRIGGER USER'));
    await database.execute(statement('spec_fill_jobs', FILL), [accountId]);
    await database.execute(statement('', 'VACUUM ANALYZE job'));
    const filters = [{}, { status: 'failed' }, { model: 'rare' }, { model: 'common', status: 'failed' }] as const;
    const createdAt = new Date('2026-02-20T00:00:00Z');
    for (const filter of filters) {
      for (const cursor of [{}, { cursor: encodeCursor({ createdAt, id: uuidv7() }) }]) {
        const read = await countReadRows(() =>
          listJobs.execute({ account_id: accountId, limit: 20, ...filter, ...cursor }),
        );
        expect(read).toBeGreaterThan(0);
        expect(read).toBeLessThanOrEqual(JOB_STATUSES.length * 21);
      }
    }
  });
});
