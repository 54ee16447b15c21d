import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { WakeUp } from '@kinora/service-kit';
import { migrations } from '../src/migrations/migrations';
import { RecoverDeliveries } from '../src/use-cases/redeliver-event.use-case';
import { jobFinished } from './webhook-dispatcher.fixtures';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { DeliveryDeletionRepository } from '../src/delivery/delivery-deletion.repository';

const EXHAUST = statement(
  'spec_exhaust',
  `UPDATE delivery SET status = 'exhausted', attempts = 6, next_attempt_at = NULL, completed_at = clock_timestamp()
   WHERE account_id = $1`,
);
const DELETE_FIRST_ADDRESS = statement(
  'spec_delete_first_address',
  `UPDATE delivery SET url = '', content_deleted_at = clock_timestamp()
   WHERE event_id = (SELECT min(event_id) FROM delivery WHERE account_id = $1)`,
);
const COUNT = statement(
  'spec_count',
  'SELECT status, count(*)::integer AS count FROM delivery WHERE account_id = $1 GROUP BY status ORDER BY status',
);
/** More than one page of the statement that copies deliveries. */
const MANY = 501;

describe('deliveries without a running attempt', () => {
  let database: TestDatabase;
  let deliveries: DeliveryRepository;

  beforeAll(async () => {
    database = await createTestDatabase('webhook-dispatcher', migrations);
    deliveries = new DeliveryRepository(database.database);
  });
  afterAll(() => database.close());

  const insert = async (count: number): Promise<string> => {
    const { account_id } = jobFinished(null);
    const events = Array.from({ length: count }, () => ({ ...jobFinished('https://example.com/hook'), account_id }));
    await deliveries.insertFor(events);
    return account_id;
  };
  const exhaust = (accountId: string) => database.database.execute(EXHAUST, [accountId]);
  const countOf = (accountId: string) => database.database.query(COUNT, [accountId]);

  it('are recovered once, however many pages of them there are', async () => {
    const account_id = await insert(MANY);
    await exhaust(account_id);
    const recover = new RecoverDeliveries(deliveries, new WakeUp());
    expect(await recover.execute({ account_id, since: '2020-01-01' })).toEqual({ recovered: MANY });
    expect(await countOf(account_id)).toEqual([
      { status: 'exhausted', count: MANY },
      { status: 'pending', count: MANY },
    ]);
    expect(await recover.execute({ account_id, since: '2020-01-01' })).toEqual({ recovered: 0 });
  });

  it('are recovered behind those whose addresses are deleted', async () => {
    const account_id = await insert(MANY + 1);
    await exhaust(account_id);
    await database.database.execute(DELETE_FIRST_ADDRESS, [account_id]);
    const recover = new RecoverDeliveries(deliveries, new WakeUp());
    expect(await recover.execute({ account_id, since: '2020-01-01' })).toEqual({ recovered: MANY });
  });

  it('are pruned when they are old, unless they are still to be sent', async () => {
    const [ended, pending] = [await insert(2), await insert(2)];
    await exhaust(ended);
    const old = new DeliveryDeletionRepository(database.database);
    const tomorrow = new Date(Date.now() + 86_400_000);
    while ((await old.prune(tomorrow, 500)) > 0);
    expect(await countOf(ended)).toEqual([]);
    expect(await countOf(pending)).toEqual([{ status: 'pending', count: 2 }]);
  });
});
