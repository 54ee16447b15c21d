import { createTestDatabase, type TestDatabase } from '@kinora/testing';
import { Client } from 'pg';
import { provision } from './provision';

async function asUser<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const select = (url: string, sql: string): Promise<unknown[]> =>
  asUser(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);

describe('provision', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase('provision-spec', []);
  });

  afterAll(() => test.close());

  it('gives a context a schema that its role owns and stands in', async () => {
    const url = await provision(test.adminUrl, { context: 'provision-first', password: 'it\'s "secret"' });
    await select(url, 'CREATE TABLE thing (name text)');
    expect(await select(url, "SELECT schemaname, tableowner FROM pg_tables WHERE tablename = 'thing'")).toEqual([
      { schemaname: 'provision_first', tableowner: 'kinora_provision_first' },
    ]);
  });

  it('keeps what is there when repeated, and changes the password', async () => {
    const first = await provision(test.adminUrl, { context: 'provision-repeated', password: 'first' });
    await select(first, "CREATE TABLE thing (name text); INSERT INTO thing VALUES ('kept')");
    const second = await provision(test.adminUrl, { context: 'provision-repeated', password: 'second' });
    expect(await select(second, 'SELECT name FROM thing')).toEqual([{ name: 'kept' }]);
    await expect(select(first, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('may be done by several at once', async () => {
    const access = { context: 'provision-crowded', password: 'secret' };
    const urls = await Promise.all(Array.from({ length: 5 }, () => provision(test.adminUrl, access)));
    expect(await select(urls[0] ?? '', 'SELECT current_schema() AS schema')).toEqual([{ schema: 'provision_crowded' }]);
  });

  it('lets no role read or write in the schema of another, nor in the public one', async () => {
    const owner = await provision(test.adminUrl, { context: 'provision-owner', password: 'secret' });
    const other = await provision(test.adminUrl, { context: 'provision-other', password: 'secret' });
    await select(owner, 'CREATE TABLE wallet (micros bigint)');
    for (const sql of [
      'SELECT * FROM provision_owner.wallet',
      'INSERT INTO provision_owner.wallet VALUES (1)',
      'CREATE TABLE provision_owner.planted (name text)',
      'CREATE TABLE public.planted (name text)',
      'CREATE SCHEMA planted',
      'CREATE ROLE planted',
      'SET ROLE kinora_provision_owner',
    ])
      await expect(select(other, sql)).rejects.toThrow(/permission denied/);
  });

  it('needs an administrator who may create roles, not a superuser', async () => {
    const password = 'secret';
    const { database } = (await select(test.adminUrl, 'SELECT current_database() AS database'))[0] as {
      database: string;
    };
    const administrator = `operator_of_${database}`;
    await select(
      test.adminUrl,
      `CREATE ROLE ${administrator} LOGIN CREATEROLE PASSWORD '${password}';
       GRANT CREATE ON DATABASE ${database} TO ${administrator}`,
    );
    const adminUrl = new URL(test.adminUrl);
    adminUrl.username = administrator;
    adminUrl.password = password;
    const access = { context: `provision-modest`, password };
    await provision(adminUrl.toString(), access);
    const url = await provision(adminUrl.toString(), access);
    expect(await select(url, 'SELECT current_schema() AS schema')).toEqual([{ schema: 'provision_modest' }]);
  });
});
