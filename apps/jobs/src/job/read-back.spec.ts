import { type Months, statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { type TestDatabase, createTestDatabase, endFirstMonth } from '@kinora/testing';
import { monthsOf } from '../../test/spec-database.fixtures';
import { migrations } from '../migrations/migrations';
import { insertUsedJob } from '../../test/used-job.fixtures';
import { UsageRepository } from '../usage/usage.repository';
import { JobRepository } from './job.repository';
import { readBack } from './read-back';

const NOW = new Date('2026-10-20T12:00:00Z');
const ACCOUNT = uuidv7();
const SETTLE = statement('spec_settle', `UPDATE job SET settled_at = completed_at`);
const NO_EVENTS = statement('spec_no_events', 'DELETE FROM event_pending');
/** One job a month, the older ones of another model; the last time but one is of the first three days of a month. */
const TIMES = ['2025-01-10', '2026-02-10', '2026-04-10', '2026-06-10', '2026-07-02', '2026-08-10T09:00:00Z'];

describe('jobs of many months are listed', () => {
  let test: TestDatabase;
  let jobs: JobRepository;
  let ids: string[];

  beforeAll(async () => {
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
    test = await createTestDatabase('jobs', migrations);
    const { database } = test;
    jobs = new JobRepository(database);
    await endFirstMonth(database, ['job', 'attempt'], new Date('2025-01-01'));
    for (const months of monthsOf(database)) await months.maintain(NOW);
    ids = [];
    for (const [place, at] of TIMES.entries())
      ids.unshift(
        await insertUsedJob(database, {
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
    ids.unshift(await insertUsedJob(database, { accountId: ACCOUNT, at: '2026-10-19', status: 'queued' }));
  });
  afterAll(async () => {
    jest.useRealTimers();
    await test.close();
  });

  it.each([1, 2, 3, 7, 8])('all of them, %s a page', async (limit) => {
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

  it.each([
    { of: { status: null, model: null }, limit: 1, from: ['2026-10'] },
    { of: { status: null, model: null }, limit: 3, from: ['2026-10', '2026-06'] },
    { of: { status: null, model: 'former' }, limit: 1, from: ['2026-10', '2026-04'] },
    { of: { status: 'canceled', model: null }, limit: 9, from: ['2026-10', '1970-01'] },
    { of: { status: 'failed', model: null }, limit: 1, from: ['2026-10'] },
    { of: { status: 'queued', model: null }, limit: 9, from: ['2026-10'] },
  ] as const)('$limit of $of from $from', async ({ of, limit, from }) => {
    const read: Months[] = [];
    await readBack(test.database, { accountId: ACCOUNT, ...of }, null, limit, async (months) => {
      read.push(months);
      const rows = await jobs.list(ACCOUNT, { ...of, before: null, limit });
      return rows.filter(({ created_at }) => created_at >= months.from);
    });
    expect(read.map((months) => months.from.toISOString().slice(0, 7))).toEqual(from);
  });
});
