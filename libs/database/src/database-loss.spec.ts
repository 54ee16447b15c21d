import { deadlineIn, runInCall } from '@kinora/bus';
import { type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { Client, type Pool } from 'pg';
import { createDataSource } from './data-source';
import { Database, type Queryable } from './database';
import { toPublicError } from './database-error';
import { statement } from './statement';

const POOL_SIZE = 8;
const CAPACITY = { code: 'capacity', status: 503 };
const PROBE = statement('probe', 'SELECT 1 AS one');
const BACKEND = statement('backend', 'SELECT pg_backend_pid() AS pid');

describe('when the database fails', () => {
  let test: TestDatabase;
  let administrator: Client;

  beforeAll(async () => {
    test = await createTestDatabase('database-loss-spec', []);
    administrator = new Client({ connectionString: test.adminUrl });
    await administrator.connect();
  });

  afterAll(async () => {
    await administrator.end();
    await test.close();
  });

  const expectRecovery = async (): Promise<void> => {
    await Promise.all(Array.from({ length: POOL_SIZE }, () => test.database.transaction((it) => it.query(PROBE))));
  };

  const probeTwice = (): Promise<void> =>
    test.database.transaction(async (transaction) => {
      await transaction.query(PROBE);
      await test.database.query(PROBE);
    });

  async function killBackendOf(transaction: Queryable): Promise<void> {
    const backend = await transaction.findOne<{ pid: number }>(BACKEND);
    await administrator.query('SELECT pg_terminate_backend($1, 5000)', [backend?.pid]);
  }

  it('fails a transaction with capacity if its connection is killed, and the pool opens a new one', async () => {
    const killed = test.database.transaction(async (transaction) => {
      await killBackendOf(transaction);
      await transaction.query(PROBE);
    });
    await expect(killed).rejects.toMatchObject(CAPACITY);
    await expectRecovery();
  });

  it('fails a transaction with capacity if its connection is killed while it waits for a lock', async () => {
    const sleep = statement('sleep', 'SELECT pg_sleep(60)');
    // Other specs on this server may run the same statement, and their connections must stay.
    const backends =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = $1 AND state = 'active'";
    const killed = expect(test.database.transaction((transaction) => transaction.query(sleep))).rejects.toMatchObject(
      CAPACITY,
    );
    const pid = await waitFor(
      async () => (await administrator.query<{ pid: number }>(backends, [sleep.text])).rows[0]?.pid,
    );
    await administrator.query('SELECT pg_terminate_backend($1)', [pid]);
    await killed;
    await expectRecovery();
  });

  it('fails a transaction with capacity if its connection is killed while it does other work', async () => {
    const killed = test.database.transaction(async (transaction) => {
      await killBackendOf(transaction);
    });
    await expect(killed).rejects.toMatchObject(CAPACITY);
    await expectRecovery();
  });

  it('continues when every idle connection was killed', async () => {
    await expectRecovery();
    await administrator.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await waitFor(() => test.database.query(PROBE).catch(() => null));
    await expectRecovery();
  });

  it('handles an error that a connection emits after its release', async () => {
    const dataSource = await createDataSource({ url: test.url, name: 'farewell', poolSize: 1 }).initialize();
    const database = new Database(dataSource);
    const client = await (dataSource.driver as unknown as { master: Pool }).master.connect();
    client.release(true);
    // pg emits a second error when a server ends a connection. Without a listener, this would throw.
    client.emit('error', new Error('terminating connection due to administrator command'));
    expect(await database.query(PROBE)).toEqual([{ one: 1 }]);
    await dataSource.destroy();
  });

  it('fails with capacity in time when the pool is exhausted, also by its own transactions', async () => {
    const call = { requestId: 'req_1', deadlineAtMs: deadlineIn(60_000) };
    const nested = Array.from({ length: POOL_SIZE }, () => runInCall(call, probeTwice));
    const outcomes = await Promise.allSettled(nested);
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(CAPACITY);
    await expectRecovery();
  });

  it('has a second connection for background work, which may hold half of them', async () => {
    await Promise.all(Array.from({ length: 2 * POOL_SIZE }, probeTwice));
  });

  it('limits every wait', async () => {
    for (const [setting, value] of Object.entries({
      lock_timeout: '5s',
      statement_timeout: '10s',
      idle_in_transaction_session_timeout: '10s',
    }))
      expect(await test.database.findOne(statement(`show_${setting}`, `SHOW ${setting}`))).toEqual({
        [setting]: value,
      });
    const impatient = test.database.transaction(async (transaction) => {
      await transaction.query(statement('impatience', "SET LOCAL statement_timeout = '20ms'"));
      await transaction.query(statement('nap', 'SELECT pg_sleep(60)'));
    });
    await expect(impatient).rejects.toMatchObject(CAPACITY);
  });

  it('gives up on a server that stays silent, and discards the connection that still waits for it', async () => {
    const silence = statement('silence', 'SELECT pg_sleep(60)', { timeoutMs: 20 });
    await expect(test.database.query(silence)).rejects.toMatchObject(CAPACITY);
    const silenced = test.database.transaction((transaction) => transaction.query(silence));
    await expect(silenced).rejects.toMatchObject(CAPACITY);
    await expectRecovery();
  });

  it("waits for an answer slightly longer than the server's own limit", async () => {
    const dataSource = await createDataSource({ url: test.url, name: 'patience', poolSize: 1 }).initialize();
    const { options } = (dataSource.driver as unknown as { master: Pool }).master;
    await dataSource.destroy();
    expect(options).toMatchObject({ statement_timeout: 10_000, query_timeout: 15_000 });
  });

  it('fails with capacity while the login of its role is refused', async () => {
    const stranger = new URL(test.url);
    stranger.password = 'wrong';
    const client = new Client({ connectionString: stranger.toString() });
    const refused = await client.connect().catch((error: unknown) => error);
    expect(toPublicError(refused)).toMatchObject(CAPACITY);
  });
});
