import { createTestDatabase, type TestDatabase } from '@kinora/testing';
import { Client } from 'pg';
import { provision, provisionAll, roleOf, toRoleUrl } from './provision';

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

const STANDING = 'SELECT current_schemas(false)::text AS schemas';

describe('provision', () => {
  let test: TestDatabase;
  let otherAccount: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase('provision-spec', []);
    otherAccount = await createTestDatabase('provision-spec', []);
  });

  afterAll(async () => {
    await test.close();
    await otherAccount.close();
  });

  const roleIn = ({ adminUrl }: TestDatabase, schema: string): string =>
    roleOf(new URL(adminUrl).pathname.slice(1), schema);

  it('creates a schema that the role of the context owns and has as its search path', async () => {
    const url = await provision(test.adminUrl, { context: 'provision-first', password: 'it\'s "secret"' });
    await select(url, 'CREATE TABLE thing (name text)');
    expect(await select(url, "SELECT schemaname, tableowner FROM pg_tables WHERE tablename = 'thing'")).toEqual([
      { schemaname: 'provision_first', tableowner: roleIn(test, 'provision_first') },
    ]);
  });

  it('keeps existing tables when repeated, and changes the password', async () => {
    const first = await provision(test.adminUrl, { context: 'provision-repeated', password: 'first' });
    await select(first, "CREATE TABLE thing (name text); INSERT INTO thing VALUES ('kept')");
    const second = await provision(test.adminUrl, { context: 'provision-repeated', password: 'second' });
    expect(await select(second, 'SELECT name FROM thing')).toEqual([{ name: 'kept' }]);
    await expect(select(first, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('does not affect a stack in another database of the same server', async () => {
    const first = await provision(test.adminUrl, { context: 'provision-shared', password: 'first' });
    const second = await provision(otherAccount.adminUrl, { context: 'provision-shared', password: 'second' });
    await select(first, 'CREATE TABLE thing (name text)');
    await expect(select(second, 'SELECT name FROM provision_shared.thing')).rejects.toThrow('does not exist');
    const elsewhere = new URL(first);
    elsewhere.pathname = new URL(second).pathname;
    const places = await Promise.all([first, second, elsewhere.toString()].map((url) => select(url, STANDING)));
    expect(places.flat()).toMatchObject([
      { schemas: '{provision_shared}' },
      { schemas: '{provision_shared}' },
      { schemas: '{public}' },
    ]);
  });

  it('returns the address of the role, also if the administrator is given in the query of the address', async () => {
    const adminUrl = new URL(test.adminUrl);
    for (const [name, value] of [
      ['user', adminUrl.username],
      ['password', adminUrl.password],
    ] as const) {
      adminUrl.searchParams.set(name, decodeURIComponent(value));
    }
    const url = await provision(adminUrl.toString(), { context: 'provision-query', password: '100%25' });
    expect(await select(url, 'SELECT current_user AS role')).toEqual([{ role: roleIn(test, 'provision_query') }]);
  });

  it('names a role after its database, shortened to the limit of PostgreSQL', () => {
    expect(roleOf('kinora', 'webhook_dispatcher')).toBe('kinora_kinora_webhook_dispatcher');
    const long = ['a', 'b'].map((end) => roleOf('x'.repeat(62) + end, 'webhook_dispatcher'));
    expect(long).toEqual(Array(2).fill(expect.stringMatching(/^kinora_[0-9a-f]{16}_webhook_dispatcher$/)));
    expect(new Set(long).size).toBe(2);
  });

  it('makes the roles of several contexts with one connection, in their order', async () => {
    const accesses = ['one', 'other'].map((name) => ({ context: `provision-${name}`, password: name }));
    const urls = await provisionAll(test.adminUrl, accesses);
    const schemas = await Promise.all(urls.map((url) => select(url, 'SELECT current_schema() AS schema')));
    expect(schemas).toEqual([[{ schema: 'provision_one' }], [{ schema: 'provision_other' }]]);
  });

  it('may run several times at once', async () => {
    const access = { context: 'provision-crowded', password: 'secret' };
    const urls = await Promise.all(Array.from({ length: 5 }, () => provision(test.adminUrl, access)));
    expect(await select(urls[0] ?? '', 'SELECT current_schema() AS schema')).toEqual([{ schema: 'provision_crowded' }]);
  });

  it('lets no role read or write in the schema of another, nor in the public schema', async () => {
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
      `SET ROLE ${roleIn(test, 'provision_owner')}`,
    ])
      await expect(select(other, sql)).rejects.toThrow(/permission denied/);
  });

  it('works for an administrator who may create roles but is no superuser', async () => {
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

const ROLE = 'kinora_a b/é_jobs';
const PASSWORD = 'it\'s "%41" @+&';

describe('address of a role', () => {
  it.each([
    ['postgres://admin:secret@db:5433/kinora', 'db', 5433],
    ['postgres://db:5433/kinora', 'db', 5433],
    ['postgres://admin@db/kinora?user=admin&password=secret&application_name=x', 'db', 5432],
    ['postgresql:///kinora?host=/var/run/postgresql', '/var/run/postgresql', 5432],
    ['postgresql:///kinora?host=/var/run/postgresql&user=admin&password=secret', '/var/run/postgresql', 5432],
    ['postgresql://admin:secret@/kinora?host=/var/run/postgresql&port=5433', '/var/run/postgresql', 5433],
    ['postgres://admin:secret@%2Fvar%2Frun%2Fpostgresql/kinora', '/var/run/postgresql', 5432],
  ])('connects as the role where the administrator has %s', (adminUrl, host, port) => {
    const { user, password, ...rest } = new Client({ connectionString: toRoleUrl(adminUrl, ROLE, PASSWORD) });
    expect({ user, password }).toEqual({ user: ROLE, password: PASSWORD });
    expect(rest).toMatchObject({ host, port, database: 'kinora' });
    expect(toRoleUrl(adminUrl, ROLE, PASSWORD)).not.toMatch(/admin|secret/);
  });

  it.each([
    '/var/run/postgresql kinora',
    'host=db user=admin password=secret',
    'postgres://admin:secret@db:port/kinora',
  ])('is refused, without being quoted, if the driver would not connect as the role: %s', (adminUrl) => {
    expect(() => toRoleUrl(adminUrl, ROLE, PASSWORD)).toThrow(
      new Error('no role can be put into this address, write it as postgresql://user:password@host:5432/database'),
    );
  });
});
