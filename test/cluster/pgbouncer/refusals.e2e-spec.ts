import { DatabaseModule, migrate, provision } from '@kinora/database';
import { DatabaseServiceConfig } from '@kinora/service-kit';
import { type TestService, startTestService } from '@kinora/testing';
import { CrashingPostgres } from '../../faults/commits/crashing-postgres';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PgBouncer } from './pg-bouncer';

const CONTEXT = 'pooled-spec';
/** With this line PgBouncer drops what it would refuse otherwise. */
const SILENT = 'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

describe('a service whose database address leads to PgBouncer', () => {
  let folder: string;
  let postgres: CrashingPostgres;
  let directUrl: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-pooled-'));
    postgres = await CrashingPostgres.start(folder);
    directUrl = await provision(postgres.url, { context: CONTEXT, password: 'kinora-test' });
    await migrate(directUrl, CONTEXT, []);
  }, 120_000);

  afterAll(async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 50 });
  });

  async function through<Result>(
    settings: string[],
    work: (url: string) => Promise<Result>,
    poolMode: 'session' | 'transaction' = 'transaction',
  ): Promise<Result> {
    const pooler = await PgBouncer.start({ databaseUrl: postgres.url, poolMode, settings });
    const url = new URL(directUrl);
    url.host = pooler.address;
    try {
      return await work(url.toString());
    } finally {
      await pooler.stop();
    }
  }

  const start = (databaseUrl: string, databasePooler: DatabaseServiceConfig['databasePooler']): Promise<TestService> =>
    startTestService({
      name: CONTEXT,
      config: Object.assign(new DatabaseServiceConfig(), { databaseUrl, databasePooler }),
      imports: [DatabaseModule.forContext(CONTEXT, [])],
    });

  it('does not start without DATABASE_POOLER, and says so', async () => {
    await through([], async (url) => {
      await expect(start(url, 'none')).rejects.toThrow(/unsupported startup parameter.*set DATABASE_POOLER/s);
    });
  });

  it('does not start either where the pooler drops its settings silently', async () => {
    await through([SILENT], async (url) => {
      await expect(start(url, 'none')).rejects.toThrow('DATABASE_URL leads to a pooler');
    });
  });

  it('does not start where its role lacks the limits', async () => {
    const administrator = await postgres.connect();
    await administrator.query('ALTER ROLE kinora_postgres_pooled_spec IN DATABASE postgres RESET statement_timeout');
    await through([], async (url) => {
      await expect(start(url, 'transaction')).rejects.toThrow('statement_timeout is 0 instead of 10s');
    });
    await administrator.end();
    await provision(postgres.url, { context: CONTEXT, password: 'kinora-test' });
  });

  it('starts where the mode is named and the role has the limits', async () => {
    await through([], async (url) => {
      const service = await start(url, 'transaction');
      await service.close();
    });
  });

  it('starts in the mode of sessions as well, where the role has the limits', async () => {
    const startAndClose = async (url: string): Promise<void> => (await start(url, 'session')).close();
    await through([], startAndClose, 'session');
  });

  it('is not migrated through it, because the lock of the migrations belongs to a session', async () => {
    await through([], async (url) => {
      await expect(migrate(url, CONTEXT, [])).rejects.toThrow('migrations need a direct connection');
    });
  });
});
