import { provision } from '@kinora/database';
import { type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { Usage } from '@kinora/contracts/jobs/usage';
import { Client } from 'pg';
import { LocalStack } from '../support/local-stack';
import { openAccount, openKey, setLimits, verifyLedger } from '../support/operator';
import { changedRows, expandEveryTable, migrateSnapshot, readSnapshot, restoreSnapshot } from '../upgrade/snapshot';

/** The content of the snapshot: four ended jobs, and two whose renderer no longer exists. */
const JOBS = 6;
const IN_FLIGHT = 2;
const DAY_MS = 86_400_000;

describe('an upgrade from an earlier release, with its data', () => {
  const snapshot = readSnapshot();
  const accountId = snapshot['billing']?.tables['account']?.[0]?.['id'] as string;
  let database: TestDatabase;
  let stack: LocalStack | undefined;

  beforeAll(async () => {
    database = await createTestDatabase('upgrade-spec', []);
    await restoreSnapshot(database.adminUrl, snapshot);
    await migrateSnapshot(database.adminUrl, snapshot);
  });

  afterAll(async () => {
    await stack?.stop();
    await database.close();
  });

  it('keeps every row as it was', async () => {
    expect(await changedRows(database.adminUrl, snapshot)).toEqual([]);
  });

  it('finishes the jobs in flight, exact to the micro, also on the schema of the next release', async () => {
    await expandEveryTable(database.adminUrl);
    stack = await LocalStack.start({ env: { DATABASE_URL: database.adminUrl } });
    // The account of the snapshot may send 60 requests a minute; polling its jobs takes more on a fast machine.
    await setLimits(stack, { account_id: accountId, rate_limit_rpm: 100_000 });
    const { client } = await openKey(stack, { account_id: accountId, name: 'after the upgrade' });
    const list = async (): Promise<Job[]> => (await client.read<JobList>('/jobs?limit=100')).data;
    const ended = await waitFor(
      async () => {
        const jobs = await list();
        return jobs.every(({ completed_at }) => completed_at !== null) && jobs;
      },
      { timeoutMs: 90_000 },
    );
    expect(ended.map(({ status }) => status).sort()).toEqual([
      'canceled',
      'failed',
      ...Array.from({ length: 2 + IN_FLIGHT }, () => 'succeeded'),
    ]);
    const from = String(ended[0]?.created_at.slice(0, 10));
    // Without an end, the period is longer than a year from a year after the snapshot on.
    const to = new Date(Date.parse(from) + DAY_MS).toISOString();
    const { total } = await client.read<Usage>(`/usage?from=${from}&to=${to}`);
    expect(total).toMatchObject({ jobs: JOBS, succeeded: 2 + IN_FLIGHT, failed: 1, canceled: 1, in_flight: 0 });
    const { ok, violations } = await waitFor(async () => {
      const report = stack && (await verifyLedger(stack));
      return report?.ok === true && report;
    });
    expect({ ok, violations }).toEqual({ ok: true, violations: [] });
  }, 180_000);

  it('accepts new jobs beside them', async () => {
    if (!stack) throw new Error('The stack has not started.');
    const { client } = await openAccount(stack);
    const created = await client.generate({ prompt: 'a new picture', size: '512x512' });
    expect(await client.ended(created.id)).toMatchObject({ status: 'succeeded' });
  });
});

describe('a database from before the baseline', () => {
  it('is refused in one line, which names the commit that brings it up to date', async () => {
    const database = await createTestDatabase('upgrade-spec', []);
    const client = new Client({
      connectionString: await provision(database.adminUrl, { context: 'jobs', password: 'p' }),
    });
    await client.connect();
    await client.query('CREATE TABLE migration (id serial PRIMARY KEY, "timestamp" bigint, name varchar)');
    await client.query(`INSERT INTO migration ("timestamp", name) VALUES (1795165200000, 'CreateJobs1795165200000')`);
    await client.end();
    const stack = await LocalStack.launch({ env: { DATABASE_URL: database.adminUrl } });
    expect(stack.exitCode).toBe(1);
    const printed = stack.output.trim().split('\n');
    const [refusal, ...others] = printed.filter((line) => !line.endsWith(' …'));
    expect(refusal).toMatch(/^The schema of jobs is older than .*: start commit [0-9a-f]{8} with it once/);
    expect(others).toEqual([]);
    await stack.end();
    await database.close();
  }, 60_000);
});
