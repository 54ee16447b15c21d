import { randomBytes } from 'node:crypto';
import { Database, type Entities, type Migration, createDataSource, migrate, provision } from '@kinora/database';
import { testDatabaseUrl } from './test-servers.config';

const PASSWORD = 'kinora-test';
const POOL_SIZE = 8;
const CONNECTION_TRIES = 30;
/** Neither UTC nor whole hours from it, so that a statement that depends on the session's time zone fails its test. */
const TIME_ZONE = 'Asia/Kathmandu';

export interface TestDatabase {
  database: Database;
  /** Connects as the context's own role. */
  url: string;
  /** The same database as an administrator, who has access to every schema. */
  adminUrl: string;
  /** Drops the database, and closes all connections to it. */
  close: () => Promise<void>;
}

/** A new database on the run's real server, with the context's role and migrated schema. */
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

/** The default limit of three seconds for a connection is too short when each core runs ten processes. */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === CONNECTION_TRIES || !/connection timeout/.test(String(error))) throw error;
    }
  }
}
