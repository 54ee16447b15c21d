import { deadlineIn, runInCall } from '@kinora/bus';
import { type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source';
import { Database } from './database';
import { poolOf, spreadMaxAges } from './server-connections';
import { statement } from './statement';

const POOL_SIZE = 3;
const CAPACITY = { code: 'capacity', status: 503 };
const BACKEND = statement('backend', 'SELECT pg_backend_pid() AS pid');
const WRITE = statement('', 'CREATE TABLE IF NOT EXISTS written ()');
const READ_ONLY = statement('', 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY');

describe('the connections of a pool', () => {
  let test: TestDatabase;
  let administrator: Client;
  let dataSource: DataSource;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase('server-connections-spec', []);
    administrator = new Client({ connectionString: test.adminUrl });
    await administrator.connect();
  });

  afterAll(async () => {
    await administrator.end();
    await test.close();
  });

  beforeEach(() => open());
  afterEach(() => dataSource.destroy());

  async function open(maxAgeSeconds?: number): Promise<void> {
    const settings = { url: test.url, name: 'server-connections', poolSize: POOL_SIZE };
    dataSource = await createDataSource({ ...settings, ...(maxAgeSeconds && { maxAgeSeconds }) }).initialize();
    database = new Database(dataSource);
  }

  /** As for a server that stops to accept writes while its connections stay open. */
  async function makeReadOnly(): Promise<void> {
    let inUse = 0;
    const call = { requestId: 'req_1', deadlineAtMs: deadlineIn(60_000) };
    const all = Array.from({ length: POOL_SIZE }, () =>
      runInCall(call, () =>
        database.transaction(async (transaction) => {
          inUse += 1;
          await waitFor(() => inUse === POOL_SIZE);
          await transaction.query(READ_ONLY);
        }),
      ),
    );
    await Promise.all(all);
  }

  const pidNow = async (): Promise<number> => (await database.findOne<{ pid: number }>(BACKEND))?.pid as number;

  it('are all replaced when the server has refused one write, so that no further request fails', async () => {
    await makeReadOnly();
    await expect(database.query(WRITE)).rejects.toMatchObject(CAPACITY);
    for (let request = 0; request < POOL_SIZE; request++) await database.query(WRITE);
  });

  it('are dropped after a refused write inside a transaction', async () => {
    await makeReadOnly();
    await expect(database.transaction((transaction) => transaction.query(WRITE))).rejects.toMatchObject(CAPACITY);
    for (let request = 0; request < POOL_SIZE; request++)
      await database.transaction((transaction) => transaction.query(WRITE));
  });

  it('are refused before their first statement by a server that only reads, and taken as soon as it writes', async () => {
    const { database: name } = new Client({ connectionString: test.url });
    await administrator.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await administrator.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'server-connections'`,
    );
    await waitFor(() => poolOf(dataSource).totalCount === 0);
    await expect(pidNow()).rejects.toMatchObject(CAPACITY);
    expect(poolOf(dataSource).totalCount).toBe(0);
    // A setting of the database would apply to this statement, too.
    await administrator.query('SET default_transaction_read_only = off');
    await administrator.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await database.query(WRITE);
  });

  it('are replaced at their maximum age, and one in use finishes before', async () => {
    await dataSource.destroy();
    await open(1);
    const [own, later] = await database.transaction(async (transaction) => {
      const begun = await transaction.findOne<{ pid: number }>(BACKEND);
      const { rows } = await administrator.query<{ now: Date }>('SELECT now()');
      const isOlder = `SELECT now() > $1::timestamptz + interval '1.5 s' AS older`;
      await waitFor(
        async () => (await administrator.query<{ older: boolean }>(isOlder, [rows[0]?.now])).rows[0]?.older,
      );
      return [begun, await transaction.findOne<{ pid: number }>(BACKEND)];
    });
    expect(later).toEqual(own);
    expect(await pidNow()).not.toBe(own?.pid);
    const idle = await pidNow();
    await waitFor(() => poolOf(dataSource).totalCount === 0);
    expect(await pidNow()).not.toBe(idle);
  });

  it('have different ages, of at most the configured one', () => {
    const pool = { options: { maxLifetimeSeconds: 100 } };
    spreadMaxAges(pool as never);
    const ages = Array.from({ length: 200 }, () => pool.options.maxLifetimeSeconds);
    expect(Math.max(...ages)).toBeLessThanOrEqual(100);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(70);
    expect(new Set(ages).size).toBeGreaterThan(100);
  });
});
