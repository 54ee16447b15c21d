import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DecisionRepository } from '../../apps/moderation/src/decision/decision.repository';
import type { BlockedVerdict, PassedVerdict } from '../../apps/moderation/src/gate/gate';
import { migrations as moderationMigrations } from '../../apps/moderation/src/migrations/migrations';
import { migrations as billingMigrations } from '../../apps/billing/src/migrations/migrations';
import { ReservationRepository } from '../../apps/billing/src/wallet/reservation.repository';
import { insertJob, newJob } from '../../apps/jobs/test/new-job.fixtures';
import { IdempotencyKeyRepository } from '../../apps/jobs/src/intake/idempotency-key.repository';
import { JobInsertRepository } from '../../apps/jobs/src/job/job-insert.repository';
import { JobRepository } from '../../apps/jobs/src/job/job.repository';
import { migrations as jobsMigrations } from '../../apps/jobs/src/migrations/migrations';
import { Database, type Migration, ServerRun, createDataSource, migrate, provision } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import type { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { CrashingPostgres } from './commits/crashing-postgres';
import { stopAll } from './commits/server-processes';

const ACCOUNT = uuidv7();
const KEY = { key: 'key', route: 'POST /v1/images/generations', body_sha256: 'a'.repeat(64) };

const JUDGEMENT = { contentSha256: ['b'.repeat(64)], texts: 1, policyVersion: 'spec', engines: {}, findings: [] };
const PASSED = { outcome: 'passed', judgement: JUDGEMENT } as unknown as PassedVerdict;
const BLOCKED = {
  outcome: 'blocked',
  objection: { engine: 'text-rules', reason: 'spec', content: 'text', param: 'prompt' },
  judgement: JUDGEMENT,
} as unknown as BlockedVerdict;

describe('a commit that need not be flushed', () => {
  let folder: string;
  let postgres: CrashingPostgres;
  let administrator: Client;
  const databases: Database[] = [];
  const closings: (() => Promise<void>)[] = [];
  let reservations: ReservationRepository;
  let decisions: DecisionRepository;
  let jobs: JobInsertRepository;
  let run: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-unflushed-'));
    postgres = await CrashingPostgres.start(folder);
    administrator = await postgres.connect();
    const billing = await open('billing', billingMigrations);
    reservations = new ReservationRepository(billing);
    decisions = new DecisionRepository(await open('moderation', moderationMigrations));
    jobs = new JobInsertRepository(await open('jobs', jobsMigrations));
    await administrator.query(
      `INSERT INTO billing.account VALUES ('${ACCOUNT}', 'name', 'active', NULL, 1000000, 7, now());
       INSERT INTO billing.wallet VALUES ('${ACCOUNT}', 1000000000, 0, 0, 0, 1000000)`,
    );
    run = await new ServerRun(billing).current();
    await stopLogWriter();
  }, 120_000);

  afterAll(async () => {
    await Promise.all(closings.map((close) => close()));
    await administrator.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 50 });
  });

  async function open(context: string, migrations: Migration[]): Promise<Database> {
    const url = await provision(postgres.url, { context, password: 'kinora-test' });
    await migrate(url, context, migrations);
    const dataSource = await createDataSource({ url, name: context, poolSize: 2 }).initialize();
    closings.push(() => dataSource.destroy());
    databases.push(new Database(dataSource));
    return databases.at(-1) as Database;
  }

  /** It would flush the log by itself some time later. */
  async function stopLogWriter(): Promise<void> {
    const { rows } = await administrator.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'`,
    );
    await stopAll(rows.map(({ pid }) => pid));
  }

  /** Whether the end of the write-ahead log is on disk. */
  async function isFlushed(): Promise<boolean> {
    const { rows } = await administrator.query<{ flushed: boolean }>(
      'SELECT pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() AS flushed',
    );
    return rows[0]?.flushed === true;
  }

  const reserve = (server_run?: string): Promise<unknown> =>
    reservations.reserve([
      {
        item: { account_id: ACCOUNT, job_id: uuidv7(), amount_micros: 1, ...(server_run && { server_run }) },
        caller: { call: undefined, traceparent: undefined },
      },
    ]);
  const judged = () => ({ account_id: ACCOUNT, job_id: uuidv7(), stage: 'input' }) as const;

  it('is a reserve in the run of the server that stores the job, until that job is stored', async () => {
    await reserve();
    expect(await isFlushed()).toBe(true);
    await reserve(run);
    expect(await isFlushed()).toBe(false);
    const job = newJob();
    expect(await insertJob(jobs, job)).toMatchObject({ id: job.id });
    expect(await isFlushed()).toBe(true);
  });

  it('is no reserve for a job that another server stores', async () => {
    await reserve('another run');
    expect(await isFlushed()).toBe(true);
  });

  it('is a passed decision, and never a blocked one or that of an output', async () => {
    await decisions.recordPassed(judged(), PASSED, run);
    expect(await isFlushed()).toBe(false);
    await decisions.recordBlocked(databases[1] as Database, judged(), BLOCKED);
    expect(await isFlushed()).toBe(true);
    await decisions.recordPassed({ ...judged(), stage: 'output' }, PASSED);
    expect(await isFlushed()).toBe(true);
  });

  it('belongs to one run of the server, and no job is stored with proofs of another', async () => {
    const [, , own] = databases as [Database, Database, Database];
    const keys = new IdempotencyKeyRepository(own);
    expect(await jobs.serverRun()).toBe(run);
    const job = newJob({ account_id: ACCOUNT });
    await keys.claim(ACCOUNT, KEY, { job_id: job.id, has_images: false });
    await postgres.crash('backend', await postgres.connect());
    administrator = await waitFor(() => postgres.connect().catch(() => null));
    await waitFor(() =>
      new JobRepository(own).find(job.id).then(
        () => true,
        () => false,
      ),
    );
    // The pool has lost a connection meanwhile, so the run is read again.
    expect(await jobs.serverRun()).not.toBe(run);
    expect(await insertJob(jobs, job, { serverRun: run, idempotencyKey: KEY.key })).toBeNull();
    expect(await insertJob(jobs, job, { serverRun: run })).toBeNull();
    expect(await new JobRepository(own).find(job.id)).toBeNull();
    expect(await keys.find(ACCOUNT, KEY.key)).toMatchObject({ accepted_at: null });
    expect(await insertJob(jobs, job, { idempotencyKey: KEY.key })).toMatchObject({ id: job.id });
  });
});
