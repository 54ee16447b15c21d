import { randomBytes } from 'node:crypto';
import { Database, type Entities, type Migration, createDataSource, migrate, provision } from '@kinora/database';
import { testDatabaseUrl } from './test-servers.config';

const PASSWORD = 'kinora-test';
const POOL_SIZE = 8;
const CONNECTION_TRIES = 10;
/** Neither UTC nor whole hours from it: a statement that goes by the session's time zone is seen to be wrong. */
const TIME_ZONE = 'Asia/Kathmandu';

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
export async function createTestDatabase(
  context: string,
  migrations: Migration[],
  entities: Entities = [],
): Promise<TestDatabase> {
  const { name, adminUrl } = await createEmptyDatabase();
  const url = await provision(adminUrl, { context, password: PASSWORD });
  await withRetries(() => migrate(url, context, migrations));
  const dataSource = await withRetries(() =>
    createDataSource({ url, name: `test-${context}`, poolSize: POOL_SIZE, entities }).initialize(),
  );
  return {
    database: new Database(dataSource),
    url,
    adminUrl,
    close: async () => {
      await dataSource.destroy();
      await administrate(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function createEmptyDatabase(): Promise<{ name: string; adminUrl: string }> {
  const name = `kinora_test_${randomBytes(6).toString('hex')}`;
  await administrate(`CREATE DATABASE ${name}`);
  await administrate(`ALTER DATABASE ${name} SET timezone = '${TIME_ZONE}'`);
  const adminUrl = new URL(testDatabaseUrl());
  adminUrl.pathname = `/${name}`;
  return { name, adminUrl: adminUrl.toString() };
}

async function administrate(sql: string): Promise<void> {
  const dataSource = await withRetries(() =>
    createDataSource({ url: testDatabaseUrl(), name: 'test-administrator', poolSize: 1 }).initialize(),
  );
  try {
    await dataSource.query(sql);
  } finally {
    await dataSource.destroy();
  }
}

/** A service gives a connection up after three seconds, which is too soon where every core has ten processes to serve. */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === CONNECTION_TRIES || !/connection timeout/.test(String(error))) throw error;
    }
  }
}
