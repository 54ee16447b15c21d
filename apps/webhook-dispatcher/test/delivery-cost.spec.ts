import { Database, statement } from '@kinora/database';
import { RANDOM_ID_SQL, waitFor } from '@kinora/testing';
import { DueDeliveryRepository } from '../src/delivery/due-delivery.repository';
import { Slots } from '../src/attempts/slots';
import { ListDeliveries } from '../src/use-cases/list-deliveries.query';
import { ScheduleDelivery } from '../src/use-cases/schedule-delivery.use-case';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

const dispatcher = useDispatcher(0);

/**
 * The rows are inserted in pieces, because a long statement would be cancelled. With this many rows a scan shows in the
 * page counts and an index lookup does not.
 */
const PIECES = 8;
const PIECE_DELIVERIES = 5_000;
const WRITE_OLD = statement(
  'spec_write_old',
  `INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body, status, attempts, next_attempt_at,
                         completed_at)
   SELECT id, 'evt_' || id, 'job.succeeded', gen_random_uuid(), id, 'example.com:443', 'https://example.com/', '{}',
          'delivered', 1, NULL, now() - interval '1 day'
   FROM (SELECT ${RANDOM_ID_SQL} AS id FROM generate_series(1, $1)) AS old`,
);
const ANALYZE = statement('spec_analyze', 'ANALYZE delivery');

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

describe('what a delivery costs', () => {
  describe('with a dispatcher', () => {
    beforeAll(() => dispatcher.start());
    afterAll(() => dispatcher.stop());
    afterEach(() => jest.restoreAllMocks());

    /** The statements that read or changed rows, until this many deliveries are completed. */
    async function statementsOf(count: number): Promise<string[]> {
      const query = jest.spyOn(Database.prototype, 'query');
      const url = dispatcher.hookUrl();
      const events = Array.from({ length: count }, () => jobFinished(url));
      await Promise.all(events.map((event) => dispatcher.get(ScheduleDelivery).execute(event)));
      const list = dispatcher.get(ListDeliveries);
      await waitFor(async () => (await list.execute({ status: 'pending' })).data.length === 0);
      const results = await Promise.all(query.mock.results.map(({ value }) => value as Promise<unknown[]>));
      const named = query.mock.calls.map(([{ name }], place) => ({ name, rows: results[place]?.length ?? 0 }));
      const isWork = (name: string): boolean => name.startsWith('delivery_') && !/^delivery_(list|count)/.test(name);
      return named.filter(({ name, rows }) => rows > 0 && isWork(name)).map(({ name }) => name);
    }

    it('is two statements: one that writes and claims it, and one that ends its attempt', async () => {
      expect(await statementsOf(1)).toEqual(['delivery_insert', 'delivery_end_attempts']);
    });

    it('is less for many at once', async () => {
      expect((await statementsOf(64)).length).toBeLessThan(2 * 64);
    });
  });

  it('does not depend on how many deliveries there were before', async () => {
    const { database } = dispatcher;
    for (let piece = 0; piece < PIECES; piece++) await database.execute(WRITE_OLD, [PIECE_DELIVERIES]);
    await database.execute(ANALYZE);
    const query = jest.spyOn(database, 'query');
    await new DueDeliveryRepository(database).claim(new Slots(256).room());
    const [requested, values] = query.mock.calls.at(-1) ?? fail();
    query.mockRestore();
    const explain = statement('spec_explain', `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${requested.text}`);
    const row = await database.findOne<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain, values);
    const plan = row?.['QUERY PLAN'][0].Plan;
    const nodes = flatten(plan);
    expect(nodes.map((node) => node['Index Name']).filter(Boolean)).toContain('delivery_first_due');
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(50);
  });
});

function flatten(plan: Plan | undefined): Plan[] {
  return plan ? [plan, ...(plan.Plans ?? []).flatMap(flatten)] : [];
}

function fail(): never {
  throw new Error('No statement was recorded.');
}
