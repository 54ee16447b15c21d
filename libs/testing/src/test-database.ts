import { createHash, randomBytes } from 'node:crypto';
import {
  createDataSource,
  Database,
  type Entities,
  migrate,
  type Migration,
  provision,
  roleOf,
  schemaOf,
  statement,
} from '@kinora/database';
import { testDatabaseUrl } from './test-servers.config';

const PASSWORD = 'kinora-test';
const POOL_SIZE = 8;
const CONNECTION_TRIES = 30;
/** The files of ten million jobs are deleted in more than the ten seconds of a service. */
const ADMINISTRATION_MS = 300_000;
/** Neither UTC nor whole hours from it, so that a statement that depends on the session's time zone fails its test. */
const TIME_ZONE = 'Asia/Kathmandu';

/** One connection, so that an advisory lock lasts from statement to statement. */
type Administrator = Pick<ReturnType<typeof createDataSource>, 'query'>;

export interface TestDatabase {
  database: Database;
  /** Connects as the context's own role. */
  url: string;
  /** The same database as an administrator, who has access to every schema. */
  adminUrl: string;
  /**
   * Stops the clock of SQL, `now()` and `clock_timestamp()`, at a time: no day ends during a test, and no token comes back. Called
   * before the service connects, and later for another time. Defaults of columns have the real time.
   */
  setNow: (time: string) => Promise<void>;
  /** Drops the database, and closes all connections to it. */
  close: () => Promise<void>;
}

/**
 * A new database on the run's real server, with the context's role and migrated schema. The schema is migrated once a run, in a
 * template database; each test database is a copy of its files.
 */
export async function createTestDatabase(
  context: string,
  migrations: Migration[],
  entities: Entities = [],
): Promise<TestDatabase> {
  const name = `kinora_test_${randomBytes(6).toString('hex')}`;
  const adminUrl = urlOf(name);
  const url = await asAdministrator(testDatabaseUrl(), async (server) => {
    const template = await findOrCreateTemplate(server, context, migrations);
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    await server.query(`ALTER DATABASE ${name} SET timezone = '${TIME_ZONE}'`);
    const roleUrl = await provision(adminUrl, { context, password: PASSWORD });
    const role = new URL(roleUrl).username;
    // PostgreSQL looks a function up in `pg_catalog` first, unless the path names it later. `setNow` depends on it.
    await server.query(`ALTER ROLE ${role} IN DATABASE ${name} SET search_path = ${schemaOf(context)}, pg_catalog`);
    // The name of a role contains the name of its database, so the copied tables still belong to the role of the template.
    await asAdministrator(adminUrl, (copy) =>
      copy.query(`REASSIGN OWNED BY ${roleOf(template, schemaOf(context))} TO ${role}`),
    );
    return roleUrl;
  });
  const dataSource = await withRetries(() =>
    createDataSource({ url, name: `test-${context}`, poolSize: POOL_SIZE, entities }).initialize(),
  );
  const database = new Database(dataSource);
  return {
    database,
    url,
    adminUrl,
    setNow: async (time) => {
      for (const clock of ['now', 'clock_timestamp']) await database.execute(statement('', stop(clock, time)));
    },
    close: async () => {
      await dataSource.destroy();
      await asAdministrator(testDatabaseUrl(), (server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Workers that need the same template wait for the first of them. A template is marked as such only once it is complete. */
async function findOrCreateTemplate(server: Administrator, context: string, migrations: Migration[]): Promise<string> {
  const template = templateOf(context, migrations);
  await server.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  const rows = await server.query<unknown[]>('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [
    template,
  ]);
  if (rows.length === 0) {
    await server.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server.query(`CREATE DATABASE ${template}`);
    const url = await provision(urlOf(template), { context, password: PASSWORD });
    await withRetries(() => migrate(url, context, migrations));
    await server.query(`ALTER DATABASE ${template} IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  }
  await server.query('SELECT pg_advisory_unlock(hashtext($1))', [template]);
  return template;
}

/** Specs that declare migrations of their own may use the same names for different steps, so their texts count. */
function templateOf(context: string, migrations: Migration[]): string {
  const steps = migrations.map((migration) => `${migration.name} ${String(migration)}`);
  const hash = createHash('sha256')
    .update([context, ...steps].join('\n'))
    .digest('hex');
  return `kinora_template_${hash.slice(0, 16)}`;
}

function stop(clock: string, time: string): string {
  return `CREATE OR REPLACE FUNCTION ${clock}() RETURNS timestamptz LANGUAGE sql STABLE RETURN '${time}'::timestamptz`;
}

function urlOf(database: string): string {
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${database}`;
  return url.toString();
}

async function asAdministrator<Result>(url: string, work: (server: Administrator) => Promise<Result>): Promise<Result> {
  const dataSource = await withRetries(() =>
    createDataSource({
      url,
      name: 'test-administrator',
      poolSize: 1,
      statementTimeoutMs: ADMINISTRATION_MS,
    }).initialize(),
  );
  try {
    return await work(dataSource);
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

const PREFIX = '01900000-0000-7000-8000-';

/** The id of a row by its number. The ids are ordered by number, as ids of jobs are by time. */
export function numberedId(number: number): string {
  return PREFIX + number.toString(16).padStart(12, '0');
}

/** The same id as an SQL expression. */
export function numberedIdSql(number: string): string {
  return `('${PREFIX}' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

/** Another id of the same time for each row. */
export const RANDOM_ID_SQL = `overlay(gen_random_uuid()::text PLACING '${PREFIX.slice(0, 19)}' FROM 1)::uuid`;

/** The way back of a database's newest migrations. */
export async function undoMigrations(
  url: string,
  { migrations, count, transaction = 'all' }: { migrations: Migration[]; count: number; transaction?: 'all' | 'none' },
): Promise<void> {
  const dataSource = await createDataSource({ url, name: 'way-back', poolSize: 1, migrations }).initialize();
  for (let undone = 0; undone < count; undone++) await dataSource.undoLastMigration({ transaction });
  await dataSource.destroy();
}
