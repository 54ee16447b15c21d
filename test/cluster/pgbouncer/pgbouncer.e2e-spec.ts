import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CrashingPostgres } from '../../faults/commits/crashing-postgres';
import { PgBouncer } from './pg-bouncer';

/** Suites of money and faults, which start a stack each. They run unchanged, on a PostgreSQL behind the pooler. */
const SUITES = ['e2e/jobs.main-flow', 'faults/cut-off', 'faults/killed-service'];

describe('through PgBouncer in transaction mode', () => {
  let folder: string;
  let postgres: CrashingPostgres;
  let pooler: PgBouncer;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-pooled-'));
    postgres = await CrashingPostgres.start(folder);
    pooler = await PgBouncer.start({ databaseUrl: postgres.url, poolMode: 'transaction' });
    process.env.DATABASE_POOLER = 'transaction';
    process.env.DATABASE_POOLER_ADDRESS = pooler.address;
  }, 120_000);

  afterAll(async () => {
    await pooler.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 50 });
    for (const name of ['DATABASE_URL', 'DATABASE_POOLER', 'DATABASE_POOLER_ADDRESS']) delete process.env[name];
  }, 60_000);

  describe.each(SUITES)('%s', (suite) => {
    beforeAll(async () => {
      // A stack has keys of its own, so each one needs a database of its own.
      const name = suite.replace(/\W/g, '_');
      const administrator = await postgres.connect();
      await administrator.query(`CREATE DATABASE ${name}`);
      await administrator.end();
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      process.env.DATABASE_URL = url.toString();
    });

    // A suite declares its tests here, when it is loaded.
    jest.requireActual(`../../${suite}.e2e-spec`);
  });
});
