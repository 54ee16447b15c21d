import { migrate, statement } from '@kinora/database';
import { RANDOM_ID_SQL, type TestDatabase, createTestDatabase, fillTable, undoMigrations } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { type NewDelivery, newTestDelivery } from '../src/delivery/new-delivery';
import { migrations } from '../src/migrations/migrations';

const DELIVERIES = Number(process.env.KINORA_PARTITIONED_DELIVERIES ?? 20_000);
const BEFORE = migrations.slice(0, 1);
const FILL_DELIVERIES = `
  INSERT INTO delivery (id, event_id, event_type, account_id, job_id, url, body)
  SELECT id, 'evt_' || id, 'job.succeeded', id, id, 'https://example.com/', '{}'
    FROM (SELECT ${RANDOM_ID_SQL} AS id FROM generate_series(1, ${DELIVERIES})) AS new`;
const FILL_ATTEMPTS = 'INSERT INTO attempt (delivery_id, number, latency_ms) SELECT id, 1, 5 FROM delivery LIMIT 1000';
const GRANT = statement('', 'GRANT SELECT (status) ON delivery TO public');
/** What a migration that was interrupted has done. */
const INTERRUPTED = [
  'ALTER TABLE delivery VALIDATE CONSTRAINT delivery_in_first_partition',
  'INSERT INTO delivery_event (event_id, delivery_id) SELECT event_id, id FROM delivery LIMIT 10',
];
const COUNT = statement(
  'spec_count',
  `SELECT count(*)::integer AS deliveries, count(DISTINCT event_id)::integer AS events,
          (SELECT count(*)::integer FROM attempt) AS attempts FROM delivery`,
);
const COUNT_RECORDED = statement('spec_count_recorded', 'SELECT count(*)::integer AS recorded FROM delivery_event');
/** As the release before the partitions writes it. */
const INSERT_BEFORE = statement(
  'spec_insert_before',
  `INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body)
   VALUES ($1, $2, 'job.succeeded', $3, $4, '', 'https://example.com/', '{}')
   ON CONFLICT (event_id) WHERE redelivery_of IS NULL DO NOTHING`,
);
const DESCRIBE = statement(
  'spec_describe',
  `SELECT pg_get_indexdef(indexrelid) AS part FROM pg_index WHERE indrelid IN ('delivery'::regclass, 'attempt'::regclass)
    UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid IN ('delivery'::regclass, 'attempt'::regclass)
       AND contype = 'f'
    UNION ALL SELECT attacl::text FROM pg_attribute WHERE attrelid = 'delivery'::regclass AND attacl IS NOT NULL`,
);

describe('deliveries of an earlier release', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('webhook-dispatcher', BEFORE);
    await fillTable(test.adminUrl, 'webhook_dispatcher.delivery', [FILL_DELIVERIES]);
    await fillTable(test.adminUrl, 'webhook_dispatcher.attempt', [FILL_ATTEMPTS]);
    await test.database.execute(GRANT);
  }, 600_000);
  afterAll(() => test.close());

  const describeParts = async (): Promise<string[]> => {
    const rows = await test.database.query<{ part: string }>(DESCRIBE);
    return rows.map(({ part }) => part.replace(' NOT VALID', '').replaceAll(/[()]/g, '')).sort();
  };

  it('become the first partition while events arrive, each of which has one delivery, and are one table on the way back', async () => {
    const before = await describeParts();
    await migrate(test.url, 'webhook-dispatcher', migrations.slice(0, 2));
    for (const change of INTERRUPTED) await test.database.execute(statement('', change));
    const { latenciesMs, refused } = await besideWriter(test, () =>
      migrate(test.url, 'webhook-dispatcher', migrations),
    );
    expect(Math.max(...latenciesMs)).toBeLessThan(1_000);
    expect(latenciesMs.length).toBeGreaterThan(refused);
    const deliveries = DELIVERIES + latenciesMs.length;
    const all = { deliveries, events: deliveries, attempts: Math.min(DELIVERIES, 1_000) };
    expect(await test.database.findOne(COUNT)).toEqual(all);
    expect(await test.database.findOne(COUNT_RECORDED)).toEqual({ recorded: deliveries });

    await undoMigrations(test.url, { migrations, count: migrations.length - BEFORE.length });
    expect(await test.database.findOne(COUNT)).toEqual(all);
    expect(await describeParts()).toEqual(before);
    expect((await migrate(test.url, 'webhook-dispatcher', migrations)).ran).toHaveLength(3);
  }, 600_000);
});

/**
 * Writes deliveries one after another, each twice: by the earlier release, and when the event arrives again, by this one. The
 * tables of this one are there only after the swap.
 */
async function besideWriter({ database }: TestDatabase, work: () => Promise<unknown>) {
  const latenciesMs: number[] = [];
  const events: NewDelivery[] = [];
  let refused = 0;
  let isStopped = false;
  const write = async (): Promise<void> => {
    while (!isStopped) {
      const event = newTestDelivery(uuidv7(), 'https://example.com/');
      const begunMs = performance.now();
      const values = [event.id, event.event_id, event.account_id, event.job_id];
      await database.execute(INSERT_BEFORE, values).catch(() => (refused += 1));
      latenciesMs.push(performance.now() - begunMs);
      events.push(event);
    }
  };
  const written = write();
  await work().finally(() => (isStopped = true));
  await written;
  const deliveries = new DeliveryRepository(database);
  const again = events.map((event) => ({ ...event, id: uuidv7() }));
  const isNew = await Promise.all(again.map((event) => deliveries.insert(event)));
  expect(isNew.filter(Boolean)).toHaveLength(refused);
  return { latenciesMs, refused };
}
