import { DatabaseServiceConfig, HealthServer } from '@kinora/service-kit';
import {
  type TestDatabase,
  type TestService,
  createTestDatabase,
  findFreePorts,
  startTestService,
  waitFor,
} from '@kinora/testing';
import { Client } from 'pg';
import { Database } from './database';
import { DatabaseModule } from './database.module';
import { CREATE_OUTBOX_AND_INBOX } from './migrations.fixtures';
import { statement } from './statement';

const CONTEXT = 'database-module-spec';
const MIGRATION = CREATE_OUTBOX_AND_INBOX.name;

describe('readiness of a service with a schema', () => {
  let test: TestDatabase;
  let administrator: Client;
  let service: TestService;

  beforeAll(async () => {
    test = await createTestDatabase(CONTEXT, [CREATE_OUTBOX_AND_INBOX]);
    administrator = new Client({ connectionString: test.adminUrl });
    await administrator.connect();
    await administrator.query('SET search_path = database_module_spec');
    service = await startTestService({
      name: CONTEXT,
      config: Object.assign(new DatabaseServiceConfig(), { databaseUrl: test.url }),
      imports: [DatabaseModule.forContext(CONTEXT, [CREATE_OUTBOX_AND_INBOX])],
    });
  });

  afterAll(async () => {
    await service.close();
    await administrator.end();
    await test.close();
  });

  const ask = async (path: string): Promise<{ status: number; error: unknown }> => {
    const response = await fetch(`http://127.0.0.1:${service.get(HealthServer).port}${path}`);
    return { status: response.status, error: ((await response.json()) as { error: unknown }).error };
  };

  it('is lost while the schema is behind, and only the log names the missing migrations', async () => {
    expect(await ask('/readyz')).toEqual({ status: 200, error: {} });
    await administrator.query('DELETE FROM migration');
    const error = { migrations: { status: 'down', message: 'the schema is behind' } };
    expect(await ask('/readyz')).toEqual({ status: 503, error });
    expect(await ask('/readyz')).toEqual({ status: 503, error });
    expect(service.log.of('schema_behind')).toEqual([expect.objectContaining({ missing: [MIGRATION] })]);
    expect((await ask('/livez')).status).toBe(200);
    await administrator.query('INSERT INTO migration (timestamp, name) VALUES (1795165200000, $1)', [MIGRATION]);
    expect((await ask('/readyz')).status).toBe(200);
  });

  it('is missing and the service alive while it waits for its schema at the start, so that nothing restarts it', async () => {
    await administrator.query('DELETE FROM migration');
    const [healthPort] = (await findFreePorts(1)) as [number];
    const config = Object.assign(new DatabaseServiceConfig(), { databaseUrl: test.url, healthPort });
    const imports = [DatabaseModule.forContext(CONTEXT, [CREATE_OUTBOX_AND_INBOX])];
    const starting = startTestService({ name: `${CONTEXT}-waits`, config, imports });
    const statusOf = async (path: string): Promise<number | undefined> =>
      (await fetch(`http://127.0.0.1:${healthPort}${path}`).catch(() => null))?.status;
    await waitFor(async () => (await statusOf('/livez')) === 200);
    expect(await statusOf('/readyz')).toBe(503);
    await administrator.query('INSERT INTO migration (timestamp, name) VALUES (1795165200000, $1)', [MIGRATION]);
    const started = await starting;
    expect(await statusOf('/readyz')).toBe(200);
    await started.close();
  });

  it('is kept while the schema is ahead, as it is beside a newer release', async () => {
    await administrator.query("INSERT INTO migration (timestamp, name) VALUES (1895165200000, 'Later1895165200000')");
    expect((await ask('/readyz')).status).toBe(200);
  });

  it('is kept while background work has all of its connections, because requests have the others', async () => {
    const { databasePoolSize } = new DatabaseServiceConfig();
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const database = service.get(Database);
    const sweeps = Array.from({ length: databasePoolSize }, () => database.transaction(() => finished));
    try {
      expect(await ask('/readyz')).toEqual({ status: 200, error: {} });
    } finally {
      finish();
      await Promise.all(sweeps);
    }
  });

  it('is lost while the server only reads, although it answers', async () => {
    const database = service.get(Database);
    // Idle connections are taken in reverse order, so the probe takes the one that was used last.
    const set = (mode: string): Promise<unknown> =>
      database.query(statement('', `SET SESSION CHARACTERISTICS AS TRANSACTION ${mode}`));
    await set('READ ONLY');
    expect(await ask('/readyz')).toMatchObject({
      status: 503,
      error: { database: { status: 'down', message: 'the server is read-only' } },
    });
    await set('READ WRITE');
    expect((await ask('/readyz')).status).toBe(200);
  });

  it('is lost in time while PostgreSQL hangs, and returns with it', async () => {
    const { rows } = await administrator.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE application_name = $1',
      [CONTEXT],
    );
    expect(rows.length).toBeGreaterThan(0);
    try {
      for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
      // The limit of the probe itself. The limits of the database would end the wait much later, with another error.
      const silent = { status: 'down', message: 'no answer in time' };
      expect(await ask('/readyz')).toMatchObject({ status: 503, error: { database: silent } });
      expect((await ask('/livez')).status).toBe(200);
    } finally {
      for (const { pid } of rows) process.kill(pid, 'SIGCONT');
    }
    await waitFor(async () => (await ask('/readyz')).status === 200);
  });
});
