import { firstIdOf, statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { type TestDatabase, createTestDatabase, endFirstMonth } from '@kinora/testing';
import { monthsOf } from '../../test/spec-database.fixtures';
import { migrations } from '../migrations/migrations';
import { insertUsedJob } from '../../test/used-job.fixtures';
import { UsageRepository } from '../usage/usage.repository';
import { JobSearchRepository } from '../reading/job-search.repository';
import { VideoListRepository } from '../reading/video-list.repository';
import type { Cursor } from './cursor';
import { JobRepository } from './job.repository';
import { readByMonth } from './read-by-month';

const NOW = new Date('2026-10-20T12:00:00Z');
const ACCOUNT = uuidv7();
/** All are videos, which are listed in both orders. */
const SETTLE = statement('spec_settle', `UPDATE job SET settled_at = completed_at, kind = 'video.generation'`);
const LIST_ALL = statement(
  'spec_list_all',
  `SELECT id, created_at FROM job WHERE account_id = $1 AND status = coalesce($2, status) AND model = coalesce($3, model)
    ORDER BY created_at DESC`,
);
type Listed = { id: string; created_at: Date };
const NO_EVENTS = statement('spec_no_events', 'DELETE FROM event_pending');
/** When jobs were created, the older ones of another model. The id of one of July is of June, since it was stored two days later. */
const TIMES = [
  '2025-01-10',
  '2026-02-10',
  '2026-04-10',
  '2026-06-10',
  '2026-07-01',
  '2026-07-02',
  '2026-08-10T09:00:00Z',
];
const IDS_MADE: Record<string, string> = { '2026-07-02': '2026-06-30' };

describe('jobs of many months are listed', () => {
  let test: TestDatabase;
  let jobs: JobRepository;
  let videos: VideoListRepository;
  let ids: string[];

  beforeAll(async () => {
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
    test = await createTestDatabase('jobs', migrations);
    const { database } = test;
    jobs = new JobRepository(database);
    videos = new VideoListRepository(database);
    await endFirstMonth(database, ['job', 'attempt'], new Date('2025-01-01'));
    for (const months of monthsOf(database)) await months.maintain(NOW);
    ids = [];
    for (const [place, at] of TIMES.entries())
      ids.unshift(
        await insertUsedJob(database, {
          id: uuidv7({ msecs: Date.parse(IDS_MADE[at] ?? at) }),
          accountId: ACCOUNT,
          at,
          status: 'canceled',
          model: place < 3 ? 'former' : 'one',
        }),
      );
    await database.execute(SETTLE);
    await database.execute(NO_EVENTS);
    await new UsageRepository(database).rollUp();
    await monthsOf(database)[0].boundOpenMonths(NOW);
    ids.unshift(
      await insertUsedJob(database, {
        accountId: ACCOUNT,
        at: '2026-10-19',
        status: 'queued',
        kind: 'video.generation',
      }),
    );
  });
  afterAll(async () => {
    jest.useRealTimers();
    await test.close();
  });

  it.each([1, 2, 3, 8, 9])('all of them, %s a page', async (limit) => {
    const seen: string[] = [];
    for (let before = null; ;) {
      const page = await jobs.list(ACCOUNT, { status: null, model: null, before, limit });
      seen.push(...page.map(({ id }) => id));
      const last = page[limit - 1];
      if (!last) break;
      before = { createdAt: last.created_at, id: last.id } as never;
    }
    expect(seen).toEqual(ids);
  });

  it.each([1, 2, 8, 9])('all of them, oldest first, %s a page', async (limit) => {
    const seen: string[] = [];
    for (let after: Cursor | null = null; ;) {
      const page = await videos.list(ACCOUNT, { after, order: 'asc', limit });
      seen.push(...page.map(({ id }) => id));
      const last = page[limit - 1];
      if (!last) break;
      after = { createdAt: last.created_at, id: last.id };
    }
    expect(seen).toEqual(ids.toReversed());
  });

  it('in the order of their creation, where one is stored among those of the month before', async () => {
    const [, , third] = ids.toReversed();
    const after = { createdAt: new Date('2026-04-10'), id: String(third) };
    const page = await videos.list(ACCOUNT, { after, order: 'asc', limit: 2 });
    expect(page.map(({ id }) => id)).toEqual(ids.toReversed().slice(3, 5));
  });

  it('which a search finds, however long before', async () => {
    const found: string[] = [];
    for (let before: Cursor | null = null, pages = 0; ; pages++) {
      const filter = { words: [], kind: null, status: null, model: null, from: null, to: null, before };
      const page = await new JobSearchRepository(test.database).find(ACCOUNT, filter, 2);
      found.push(...page.jobs.map(({ id }) => id));
      const last = page.jobs[1];
      before = last ? { createdAt: last.created_at, id: last.id } : page.end;
      if (before === null) break;
      expect(pages).toBeLessThan(20);
    }
    expect(found).toEqual(ids);
  });

  it.each([
    { of: { status: null, model: null }, limit: 1, read: ['2026-10'] },
    {
      of: { status: null, model: null },
      limit: 3,
      read: ['2026-10', '2026-08 2026-07', '2026-06'],
    },
    { of: { status: null, model: 'former' }, limit: 1, read: ['2026-10', '2026-04'] },
    { of: { status: null, model: 'former' }, limit: 3, read: ['2026-10', '2026-04', '2026-02', '2025-01'] },
    { of: { status: 'failed', model: 'none' }, limit: 1, read: ['2026-10'] },
    { of: { status: 'queued', model: null }, limit: 9, read: ['2026-10'] },
    { of: { status: null, model: 'former' }, limit: 1, order: 'asc', read: ['2025-01'] },
    { of: { status: null, model: 'one' }, limit: 4, order: 'asc', read: ['2026-06 2026-07', '2026-08'] },
  ] as const)('$limit of $of from the months $read', async ({ of, limit, read, ...rest }) => {
    const parts: string[] = [];
    const listed = { accountId: ACCOUNT, ...of, order: 'desc' as const, ...rest, after: null, limit };
    await readByMonth(test.database, listed, async (given) => {
      const months = [given].flat();
      parts.push(months.map(({ from }) => from.toISOString().slice(0, 7)).join(' '));
      const rows = await test.database.query<Listed>(LIST_ALL, [ACCOUNT, of.status, of.model]);
      return rows.filter(({ id }) => months.some(({ from, until }) => id >= firstIdOf(from) && id < firstIdOf(until)));
    });
    expect(parts).toEqual(read);
  });
});
