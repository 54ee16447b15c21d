import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase, endFirstMonth } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { EndedJobRepository } from '../src/ending/ended-job.repository';
import type { JobMonths } from '../src/job/job-months';
import { JobRepository } from '../src/job/job.repository';
import { migrations } from '../src/migrations/migrations';
import { PlanRetention } from '../src/operations/use-cases/plan-retention.query';
import { ReceiptRowRepository } from '../src/receipt/receipt.repository';
import { UsageRepository } from '../src/usage/usage.repository';
import { VerifyUsage } from '../src/usage/use-cases/get-usage.query';
import { monthsOf, useDatabase } from './spec-database.fixtures';
import { insertUsedJob } from './used-job.fixtures';

const ACCOUNT = uuidv7();
const PERIOD = { from: new Date('2026-03-01'), to: new Date('2026-06-01'), truncated: false };
const SETTLE = statement('spec_settle', 'UPDATE job SET settled_at = completed_at WHERE completed_at IS NOT NULL');
const ADD_ATTEMPT = statement(
  'spec_add_attempt',
  `INSERT INTO attempt (job_id, number, provider, upstream_id, state, outcome, next_check_at)
   VALUES ($1, 1, 'sandbox', 'task', 'ended', 'canceled', now())`,
);
const END_RETENTION = statement(
  'spec_end_retention',
  `UPDATE job SET outputs_retry_at = clock_timestamp() WHERE id = ANY($1)`,
);
const END_REQUEST = statement(
  'spec_end_request',
  `UPDATE job SET content_retry_at = clock_timestamp() - interval '1 hour' WHERE id = $1`,
);
const LIST_TABLES = statement(
  'spec_list_tables',
  `SELECT relname AS name FROM pg_class WHERE relname ~ '^(job|attempt)_2026(03|04|05)$' ORDER BY 1`,
);

describe('months of jobs', () => {
  const database = useDatabase();
  const jobs = new JobRepository(database);
  const receipts = new ReceiptRowRepository(database);
  const usage = new UsageRepository(database);

  const maintain = async (retentionDays: number, now: string): Promise<string[]> => {
    for (const months of monthsOf(database, retentionDays)) await months.maintain(new Date(now));
    return (await database.query<{ name: string }>(LIST_TABLES)).map(({ name }) => name);
  };

  it('are dropped after their retention, but not while a job is open, and leave usage and receipts', async () => {
    await endFirstMonth(database, ['job', 'attempt'], new Date('2026-03-01'));
    const all = ['03', '04', '05'].flatMap((month) => [`attempt_2026${month}`, `job_2026${month}`]).sort();
    expect(await maintain(0, '2026-03-02')).toEqual(all);
    const insert = (at: string, status: 'canceled' | 'queued') =>
      insertUsedJob(database, { accountId: ACCOUNT, at, status });
    const ended = await insert('2026-03-15', 'canceled');
    const open = await insert('2026-04-15', 'queued');
    await insert('2026-05-15', 'canceled');
    await database.execute(ADD_ATTEMPT, [ended]);
    await usage.rollUp();
    const [before, receipt] = [await usage.sum(ACCOUNT, PERIOD, 'model'), await receipts.find(ended, ACCOUNT)];
    expect(receipt).toMatchObject({ attempts: 1 });

    expect(await maintain(31, '2026-05-02')).toEqual(all);
    await database.execute(SETTLE);
    expect(await maintain(31, '2026-05-01')).toEqual(all);
    expect(await maintain(31, '2026-06-02')).toEqual(all.filter((name) => !name.endsWith('03')));
    expect(await jobs.findOfAccount(ended, ACCOUNT)).toBeNull();
    expect(await receipts.find(ended, ACCOUNT)).toEqual(receipt);
    expect(await usage.sum(ACCOUNT, PERIOD, 'model')).toEqual(before);
    expect(await new VerifyUsage(database, monthsOf(database)[0]).execute()).toEqual({ violations: [] });

    await database.transaction((transaction) => jobs.end(transaction, open, { status: 'canceled' }));
    await database.execute(SETTLE);
    await usage.rollUp();
    await database.execute(statement('', 'DELETE FROM event_pending'));
    expect(await maintain(31, '2026-06-02')).toEqual(all.filter((name) => name.endsWith('05')));
    const { data } = await new PlanRetention(...monthsOf(database, 31)).execute();
    expect(data.map(({ parts: [oldest] }) => [oldest?.name, oldest?.drops_at])).toEqual([
      ['job_202605', '2026-07-02T00:00:00.000Z'],
      ['attempt_202605', '2026-07-02T00:00:00.000Z'],
    ]);
  });

  it.each([
    { status: 'canceled' as const, openFrom: '2026-07-01' },
    { status: 'queued' as const, openFrom: '2026-06-01' },
  ])(
    'statements about open jobs begin at $openFrom after a job of June that is $status',
    async ({ status, openFrom }) => {
      await insertUsedJob(database, { accountId: ACCOUNT, at: '2026-06-15', status });
      await usage.rollUp();
      await database.execute(SETTLE);
      database.openFrom = null;
      await monthsOf(database)[0].boundOpenMonths(new Date('2026-08-01'));
      expect(database.openFrom).toEqual(new Date(openFrom));
    },
  );
});

describe('old months of jobs', () => {
  let test: TestDatabase;
  let months: JobMonths;
  let ended: EndedJobRepository;
  beforeAll(async () => {
    test = await createTestDatabase('jobs', migrations);
    months = monthsOf(test.database)[0];
    ended = new EndedJobRepository(test.database);
    await endFirstMonth(test.database, ['job', 'attempt'], new Date('2026-03-01'));
    for (const one of monthsOf(test.database)) await one.maintain(new Date());
  });
  afterAll(() => test.close());

  const look = async (): Promise<string[]> => {
    await months.boundOpenMonths(new Date());
    return months.monthsWithDeletions.map(({ from }) => from.toISOString().slice(0, 7));
  };
  const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id).sort();

  it('are read by the sweeps of outputs and contents only while something of them is to be deleted', async () => {
    const { database } = test;
    const insert = (at: string) =>
      insertUsedJob(database, { accountId: ACCOUNT, at, webhookUrl: 'https://example.com/' });
    const [march, april] = [await insert('2026-03-15'), await insert('2026-04-15')];
    await new UsageRepository(database).rollUp();
    await database.execute(SETTLE);
    const [current] = (await look()).slice(-1);
    expect(await look()).toEqual([current]);
    await database.execute(END_RETENTION, [[march, april]]);
    expect(await look()).toEqual(['2026-03', '2026-04', current]);
    expect(idsOf(await ended.claimExpiredOutputs(months.monthsWithDeletions))).toEqual([march, april]);
    for (const id of [march, april]) await ended.markOutputsDeleted(id);
    expect(await look()).toEqual([current]);

    await ended.deleteContent(march, { input: {} as never, plan: {} as never });
    expect(await look()).toEqual(['2026-03', current]);
    await database.execute(END_REQUEST, [march]);
    expect(idsOf(await ended.claimUndeletedContents(database.openMonths))).toEqual([]);
    expect(idsOf(await ended.claimUndeletedContents(months.monthsWithDeletions))).toEqual([march]);
  });
});
