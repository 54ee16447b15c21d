import { randomBytes } from 'node:crypto';
import { Database, type Migration, createDataSource, migrate, provision } from '@kinora/database';
import { testDatabaseUrl } from './test-servers.config';

/** Roles belong to the server, which all specs share: one password, so that none locks another out. */
const PASSWORD = 'kinora-test';
const POOL_SIZE = 8;

export interface TestDatabase {
  database: Database;
  /** As the context's own role. */
  url: string;
  /** The same database as an administrator, who may look into every schema. */
  adminUrl: string;
  /** Ends the connections and drops the database, whoever else is still connected. */
  close: () => Promise<void>;
}

/** A database of its own, on the run's real server, with the context's role and schema, migrated. */
export async function createTestDatabase(context: string, migrations: Migration[]): Promise<TestDatabase> {
  const { name, adminUrl } = await createEmptyDatabase();
  const url = await provisionInTurn(adminUrl, context);
  await migrate(url, context, migrations);
  const dataSource = await createDataSource({ url, name: `test-${context}`, poolSize: POOL_SIZE }).initialize();
  return {
    database: new Database(dataSource),
    url,
    adminUrl,
    close: async () => {
      await dataSource.destroy();
      await asAdministrator((query) => query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

async function createEmptyDatabase(): Promise<{ name: string; adminUrl: string }> {
  const name = `kinora_test_${randomBytes(6).toString('hex')}`;
  await asAdministrator((query) => query(`CREATE DATABASE ${name}`));
  const adminUrl = new URL(testDatabaseUrl());
  adminUrl.pathname = `/${name}`;
  return { name, adminUrl: adminUrl.toString() };
}

/** Two databases that provision the same role at once would fail; the lock of `provision` reaches no further than one. */
async function provisionInTurn(adminUrl: string, context: string): Promise<string> {
  return asAdministrator(async (query) => {
    await query('SET lock_timeout = 0');
    await query("SELECT pg_advisory_lock(hashtext('kinora_test_provision'))");
    return provision(adminUrl, { context, password: PASSWORD });
  });
}

/** Runs on one connection, so that what a session holds is held until the work is done. */
async function asAdministrator<Result>(
  work: (query: (sql: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const dataSource = createDataSource({ url: testDatabaseUrl(), name: 'test-administrator', poolSize: 1 });
  await dataSource.initialize();
  try {
    return await work((sql) => dataSource.query(sql));
  } finally {
    await dataSource.destroy();
  }
}
