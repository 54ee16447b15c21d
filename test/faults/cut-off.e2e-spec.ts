import { TestBroker, waitFor } from '@kinora/testing';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { Client } from 'pg';
import type { ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import {
  answerThroughFaults,
  balanceThroughFaults,
  createThroughFaults,
  endedThroughFaults,
  tryToCreate,
} from '../support/through-faults';

const AT_ONCE = 1_000;
/** The number of times that connections are cut, one after the other, while jobs are created and ended. */
const CUTS = 20;
const CLIENTS = 4;
const CREATES_PER_CLIENT = 10;
const ALL_CREATES = CLIENTS * CREATES_PER_CLIENT;
const JOBS_OF = 'SELECT FROM jobs.job WHERE account_id = $1';
const HOLDS_OF = 'SELECT FROM billing.hold WHERE account_id = $1';
/** All connections of the services, except for this test's and the server's own. */
const CUT_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid()`;

/** Two replicas of each service on the path of a request, so that a retry reaches another process. */
describe('requests that are cut off from their answers', () => {
  let broker: TestBroker;
  let stack: LocalStack;
  let database: Client;
  let client: ApiClient;
  let accountId: string;
  /** The same account, through the other gateway. */
  let otherDoor: ApiClient;
  let balance: number;

  beforeAll(async () => {
    broker = await TestBroker.start();
    stack = await LocalStack.start({
      smallImages: true,
      env: { NATS_URL: broker.url, KINORA_REPLICAS: 'gateway=2,jobs=2' },
    });
    database = await stack.connect();
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await broker.close();
  });

  beforeEach(async () => {
    ({ client, accountId } = await openAccount(stack));
    otherDoor = client.at((await stack.describe()).processes['gateway-2']?.base_url ?? '');
    balance = await client.balanceMicros();
  });

  const pidOf = async (name: string): Promise<number> => (await stack.describe()).processes[name]?.pid as number;

  const countJobs = async (): Promise<number> => (await database.query(JOBS_OF, [accountId])).rowCount ?? 0;

  /** The account's only job has ended, and the wallet holds the balance minus its price. */
  async function expectOneJob(ids: (string | undefined)[]): Promise<void> {
    const [id] = ids;
    expect(new Set(ids).size).toBe(1);
    const { data } = (await client.get<JobList>('/jobs')).body;
    expect(data.map((job) => job.id)).toEqual([id]);
    const job = await endedThroughFaults(client, id ?? '');
    expect(job.status).toBe('succeeded');
    await waitFor(async () => (await balanceThroughFaults(client)) === balance - job.usage.charged_micros, {
      timeoutMs: 30_000,
    });
  }

  it('creates one job where billing has reserved and all callers have timed out', async () => {
    await database.query('BEGIN');
    await database.query('SELECT FROM billing.wallet WHERE account_id = $1 FOR UPDATE', [accountId]);
    const given = tryToCreate(client, 'paused', { prompt: 'a lake' });
    await waitFor(async () => (await database.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount === 1);
    const billing = await pidOf('billing');
    process.kill(billing, 'SIGSTOP');
    try {
      // PostgreSQL continues the reservation; billing is stopped and cannot respond.
      await database.query('ROLLBACK');
      expect((await given)?.status).toBe(503);
      expect((await database.query(HOLDS_OF, [accountId])).rowCount).toBe(1);
    } finally {
      process.kill(billing, 'SIGCONT');
    }
    const job = await createThroughFaults(client, 'paused', { prompt: 'a lake' });
    await expectOneJob([job.id]);
    expect((await database.query(HOLDS_OF, [accountId])).rowCount).toBe(1);
  }, 120_000);

  it('creates one job from two requests with one key that race through two gateways', async () => {
    const doors = [client, otherDoor, client, otherDoor];
    const answers = await Promise.all(doors.map((door) => tryToCreate(door, 'race', { prompt: 'a lake' })));
    expect(answers.map((answer) => answer?.status).sort()).toEqual([200, 200, 200, 202]);
    await expectOneJob(answers.map((answer) => answer?.body.id));
  }, 120_000);

  it('creates one job from a thousand concurrent requests with one key, and replays it to all others', async () => {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        answerThroughFaults(
          index % 2 === 0 ? client : otherDoor,
          'thousand',
          { prompt: 'a lake' },
          { timeoutMs: 90_000, patienceMs: 60_000 },
        ),
      ),
    );
    const created = answers.filter(({ status }) => status === 202);
    const replayed = answers.filter(
      ({ status, headers }) => status === 200 && headers.get('idempotency-replayed') === 'true',
    );
    // The response of the request that created the job may have been lost.
    expect(created.length).toBeLessThanOrEqual(1);
    expect(created.length + replayed.length).toBe(AT_ONCE);
    await expectOneJob(answers.map(({ body }) => body.id));
    const other = await tryToCreate(otherDoor, 'thousand', { prompt: 'another lake' });
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } });
  }, 120_000);

  it('keeps a key for 24 hours, although all services that handled it die', async () => {
    const { id } = await createThroughFaults(client, 'remembered', { prompt: 'a lake' });
    for (const name of ['gateway', 'gateway-2', 'jobs', 'jobs-2']) process.kill(await pidOf(name), 'SIGKILL');
    const again = (hours: number): Promise<Job> =>
      database
        .query(
          `UPDATE jobs.idempotency_key SET accepted_at = clock_timestamp() - $1 * interval '1 hour' WHERE job_id = $2`,
          [hours, id],
        )
        .then(() => createThroughFaults(client, 'remembered', { prompt: 'a lake' }));
    expect((await again(0)).id).toBe(id);
    expect((await again(23.99)).id).toBe(id);
    expect((await again(24.01)).id).not.toBe(id);
  }, 120_000);

  /** Jobs that succeed and fail, created by retrying clients during a fault; the books balance. */
  async function expectExactMoneyThrough(fault: () => Promise<void>): Promise<void> {
    const isFine = (index: number): boolean => index % 2 === 0;
    const clients = Array.from({ length: CLIENTS }, async (_, clientNumber) => {
      const jobs: Job[] = [];
      for (let index = 0; index < CREATES_PER_CLIENT; index++) {
        const prompt = `${isFine(index) ? '' : '[[fail:error]] '}a lake`;
        jobs.push(
          await createThroughFaults(clientNumber % 2 === 0 ? client : otherDoor, `${clientNumber}-${index}`, {
            prompt,
          }),
        );
      }
      return jobs;
    });
    const [accepted] = await Promise.all([Promise.all(clients).then((jobs) => jobs.flat()), fault()]);
    const ended = await Promise.all(accepted.map(({ id }) => endedThroughFaults(client, id)));
    const succeeded = ended.filter(({ status }) => status === 'succeeded');
    const outcomes = ended.map(({ status, error }) => error?.code ?? status);
    const half = (outcome: string): string[] => Array<string>(accepted.length / 2).fill(outcome);
    expect(outcomes.sort()).toEqual([...half('provider_error'), ...half('succeeded')]);
    const charged = ended.reduce((sum, { usage }) => sum + usage.charged_micros, 0);
    expect(charged).toBe(succeeded.length * (accepted[0]?.usage.charged_micros ?? 0));
    await waitFor(async () => (await balanceThroughFaults(client)) === balance - charged, { timeoutMs: 30_000 });
    expect((await client.get<JobList>('/jobs?limit=100')).body.data).toHaveLength(accepted.length);
  }

  it('loses nothing when the broker goes away and comes back', async () => {
    await expectExactMoneyThrough(async () => {
      await waitFor(async () => (await client.get<JobList>('/jobs')).body.data.length >= CLIENTS, {
        timeoutMs: 30_000,
      });
      await broker.stop();
      await broker.startAgain();
    });
  }, 180_000);

  it('loses nothing when the connections to PostgreSQL are cut again and again', async () => {
    await expectExactMoneyThrough(async () => {
      for (let cut = 0; cut < CUTS; cut++) {
        const before = await countJobs();
        await database.query(CUT_CONNECTIONS);
        // The next cut comes when the services have reconnected, or have no work left.
        await waitFor(async () => before === ALL_CREATES || (await countJobs()) > before, { timeoutMs: 60_000 });
      }
    });
  }, 180_000);
});
