import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase, endFirstMonth } from '@kinora/testing';
import { NIL } from 'uuid';
import { migrations } from '../src/migrations/migrations';
import { monthsOf } from './webhook-dispatcher.fixtures';

const INSERT = statement(
  'spec_insert',
  `WITH new AS (SELECT (lpad(to_hex((extract(epoch FROM $1::timestamptz) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid AS id),
   written AS (
     INSERT INTO delivery (id, event_id, event_type, account_id, job_id, url, body, status, next_attempt_at, completed_at)
     SELECT id, $1, 'job.succeeded', '${NIL}', '${NIL}', '', '{}', $2, CASE WHEN $2 = 'pending' THEN $1::timestamptz END,
            CASE WHEN $2 <> 'pending' THEN $1::timestamptz END FROM new)
   INSERT INTO attempt (delivery_id, number, latency_ms) SELECT id, 1, 5 FROM new`,
);
const END = statement(
  'spec_end',
  `UPDATE delivery SET status = 'delivered', next_attempt_at = NULL, completed_at = now()`,
);
const LIST_TABLES = statement(
  'spec_list_tables',
  `SELECT relname AS name FROM pg_class WHERE relname ~ '^(delivery|attempt)_2026(03|04|05)$' ORDER BY 1`,
);
const ALL = ['03', '04', '05'].flatMap((month) => [`attempt_2026${month}`, `delivery_2026${month}`]).sort();

describe('months of deliveries', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('webhook-dispatcher', migrations);
    await endFirstMonth(test.database, ['delivery', 'attempt'], new Date('2026-03-01'));
  });
  afterAll(() => test.close());

  const maintain = async (retentionDays: number, now: string): Promise<string[]> => {
    for (const months of monthsOf(test.database, retentionDays)) await months.maintain(new Date(now));
    return (await test.database.query<{ name: string }>(LIST_TABLES)).map(({ name }) => name);
  };

  it('are dropped with their attempts after their retention, but not while a delivery is pending', async () => {
    expect(await maintain(400, '2026-03-02')).toEqual(ALL);
    await test.database.execute(INSERT, ['2026-03-15', 'delivered']);
    await test.database.execute(INSERT, ['2026-04-15', 'pending']);
    await test.database.execute(INSERT, ['2026-05-15', 'delivered']);
    expect(await maintain(31, '2026-05-01')).toEqual(ALL);
    expect(await maintain(31, '2026-06-02')).toEqual(ALL.filter((name) => !name.endsWith('03')));

    const [deliveries] = monthsOf(test.database, 31);
    await deliveries.boundOpenMonths(new Date('2026-08-01'));
    expect(test.database.openFrom).toEqual(new Date('2026-04-01'));
    await test.database.execute(END);
    await deliveries.boundOpenMonths(new Date('2026-08-01'));
    expect(test.database.openFrom).toEqual(new Date('2026-07-01'));
    expect(await maintain(31, '2026-06-02')).toEqual(ALL.filter((name) => name.endsWith('05')));
    const plans = await Promise.all(monthsOf(test.database, 31).map((months) => months.plan()));
    expect(plans.map(({ setting, parts: [oldest] }) => [setting, oldest?.name, oldest?.drops_at])).toEqual([
      ['KINORA_DELIVERY_RETENTION_DAYS', 'delivery_202605', '2026-07-02T00:00:00.000Z'],
      ['KINORA_DELIVERY_RETENTION_DAYS', 'attempt_202605', '2026-07-02T00:00:00.000Z'],
    ]);
  });

  it('follow the retention of rows where none is set for months', async () => {
    const [plan] = await Promise.all(monthsOf(test.database).map((months) => months.plan()));
    expect(plan).toMatchObject({ setting: 'KINORA_WEBHOOK_RETENTION_DAYS', retention_days: 30 });
  });
});
