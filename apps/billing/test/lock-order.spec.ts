import {
  Database,
  type QueryResultRow,
  type Queryable,
  type Statement,
  createDataSource,
  statement,
} from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { BillingConfig } from '../src/billing.config';
import { useBilling } from './billing.fixtures';
import { Reserve } from '../src/use-cases/reserve.use-case';
import { ReservationRepository } from '../src/wallet/reservation.repository';

const billing = useBilling();

const LOCK = statement('spec_lock_wallet', 'SELECT FROM wallet WHERE account_id = $1 FOR UPDATE');
const LOCK_NOW = statement('spec_lock_wallet_now', 'SELECT FROM wallet WHERE account_id = $1 FOR UPDATE NOWAIT');
/** An update moves a row to the end of its table, so that the physical order of rows differs from the order of ids. */
const REWRITE = [
  statement('spec_rewrite_account', 'UPDATE account SET name = name WHERE id = $1'),
  statement('spec_rewrite_wallet', 'UPDATE wallet SET held_micros = held_micros WHERE account_id = $1'),
];
const WITHOUT_INDEXES = statement(
  'spec_without_indexes',
  `SELECT set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'off', true)`,
);
const COUNT_WAITING = statement(
  'spec_count_waiting',
  `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);

/** An index scan would return the rows in order by chance; a sequential scan returns them in physical order. */
class UnindexedDatabase extends Database {
  override async query<Row extends QueryResultRow>(query: Statement, values: unknown[] = []): Promise<Row[]> {
    return await this.transaction(async (transaction) => {
      await transaction.query(WITHOUT_INDEXES);
      return await transaction.query<Row>(query, values);
    });
  }
}

type Move = 'reserve' | 'capture' | 'refund';

/** Two batches that lock the same wallets in different orders deadlock until PostgreSQL cancels one of them. */
describe('a batch that touches several wallets', () => {
  let reservations: ReservationRepository;
  let reserve: Reserve;
  let dataSource: ReturnType<typeof createDataSource>;

  beforeAll(async () => {
    const url = billing.get(BillingConfig).databaseUrl;
    dataSource = await createDataSource({ url, name: 'unindexed', poolSize: 4 }).initialize();
    reservations = new ReservationRepository(new UnindexedDatabase(dataSource));
    reserve = new Reserve(reservations);
  });
  afterAll(async () => {
    await dataSource.destroy();
  });

  const openAccount = async (): Promise<string> => {
    const settings = { name: 'test', balance_micros: 10_000, max_concurrent_jobs: 10 };
    return (await billing.createAccount(settings)).account_id;
  };

  /** Locks a wallet until it is released. */
  async function lock(accountId: string): Promise<() => Promise<void>> {
    let unlock: () => void = () => undefined;
    const unlocked = new Promise<void>((resolve) => (unlock = resolve));
    let ended: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      ended = billing.database.transaction(async (transaction: Queryable) => {
        await transaction.execute(LOCK, [accountId]);
        resolve();
        await unlocked;
      });
      ended.catch(reject);
    });
    return () => {
      unlock();
      return ended;
    };
  }

  const countWaiting = async (): Promise<number> =>
    (await billing.database.findOne<{ waiting: number }>(COUNT_WAITING))?.waiting ?? 0;

  /** Returns the move for one job of an account. Holds that it ends are placed before. */
  async function prepare(move: Move, account_id: string): Promise<() => Promise<unknown>> {
    const [job_id, amount_micros] = [uuidv7(), 10];
    const request = { account_id, job_id, amount_micros };
    if (move === 'reserve') return () => reserve.execute(request);
    await billing.reserve(request);
    return () => reservations[move](job_id);
  }

  it.each<[string, Move, number]>([
    ['of reserves', 'reserve', 1],
    ['of reserves that name an account twice', 'reserve', 2],
    ['of captures', 'capture', 1],
    ['of refunds', 'refund', 1],
  ])('%s locks them in the order of their ids, not of arrival', async (_, move, times) => {
    const [lowest, highest] = [await openAccount(), await openAccount()].sort() as [string, string];
    const prepared: (() => Promise<unknown>)[] = [];
    for (const account of [highest, lowest])
      for (let time = 0; time < times; time++) prepared.push(await prepare(move, account));
    for (const rewrite of REWRITE) await billing.database.execute(rewrite, [lowest]);
    const unlock = await lock(lowest);
    // Requests of one event-loop iteration form one batch.
    const moves = prepared.map((begin) => begin());
    try {
      await waitFor(async () => (await countWaiting()) === 1);
      await expect(billing.database.execute(LOCK_NOW, [highest])).resolves.toBe(1);
    } finally {
      await unlock();
      await Promise.all(moves);
    }
  });
});
