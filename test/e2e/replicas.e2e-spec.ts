import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, waitFor } from '@kinora/testing';
import { Client } from 'pg';
import type { ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { listPayments, openAccount, rechargeAutomatically } from '../support/operator';
import { WatchedSandbox } from '../support/watched-sandbox';

const SERVICES = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher'];
const REPLICAS = 4;
/** Slots of the sandbox, over all processes. */
const CONCURRENCY = 3;
const RPM = 120;
const JOB_COUNT = `SELECT count(*)::integer AS jobs FROM jobs.job WHERE account_id = $1 AND status = $2`;
/**
 * A stopped process holds its lease for half a minute. This statement makes the attempts due, so that the test sees the
 * takeover at once.
 */
const END_LEASES = `UPDATE jobs.attempt SET next_check_at = clock_timestamp() WHERE state = 'submitting'`;

describe(`${REPLICAS} processes of every service side by side`, () => {
  let sandbox: WatchedSandbox;
  let receiver: HttpsReceiver;
  let stack: LocalStack;
  let database: Client;

  beforeAll(async () => {
    [sandbox, receiver] = await Promise.all([WatchedSandbox.start(CONCURRENCY), HttpsReceiver.start()]);
    stack = await LocalStack.start({
      env: {
        KINORA_REPLICAS: SERVICES.map((service) => `${service}=${REPLICAS}`).join(),
        KINORA_CONFIG_DIR: sandbox.configDir,
        // The limit under test is that of the instance, not the speed of the sandbox.
        SANDBOX_TASKS_AT_ONCE: '100',
        KINORA_EGRESS_ALLOW: '127.0.0.0/8',
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
      },
    });
    await sandbox.watch(stack);
    database = new Client({ connectionString: (await stack.describe()).database_url });
    await database.connect();
  }, 120_000);

  afterAll(async () => {
    await database.end();
    await stack.stop();
    await Promise.all([sandbox.close(), receiver.close()]);
  });

  /** The account's client of each gateway. */
  async function atEachGateway(client: ApiClient): Promise<ApiClient[]> {
    const { processes } = await stack.describe();
    return Object.values(processes).flatMap(({ base_url }) => (base_url === undefined ? [] : client.at(base_url)));
  }

  async function fail(client: ApiClient, name: string, count: number): Promise<string[]> {
    const doors = await atEachGateway(client);
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    const created = Array.from({ length: count }, (_, index) =>
      (doors[index % doors.length] as ApiClient).generate({ prompt: `[[fail:error]] ${name}`, webhook_url }),
    );
    return (await Promise.all(created)).map(({ id }) => id);
  }

  const count = async (accountId: string, status: string): Promise<number> =>
    (await database.query<{ jobs: number }>(JOB_COUNT, [accountId, status])).rows[0]?.jobs ?? 0;

  it('submit each job once, never exceed the capacity of the backend, rotate between accounts, and send one webhook each', async () => {
    const [many, few] = await Promise.all([openAccount(stack), openAccount(stack)]);
    const answer = sandbox.holdAnswers();
    const first = await fail(many.client, 'of many', 24);
    await waitFor(() => sandbox.submissions.length === CONCURRENCY);
    const second = await fail(few.client, 'of few', 3);
    answer();
    const all = [...first, ...second].sort();
    await waitFor(() => receiver.requests.length >= all.length, { timeoutMs: 60_000 });
    expect(receiver.requests.map(({ body }) => jobIn(body)).sort()).toEqual(all);
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(all.length);
    const ids = sandbox.submissions.map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([all.length, all.length]);
    expect(sandbox.mostAtOnce).toBe(CONCURRENCY);
    // Without fair queuing, the three jobs would come last. Jobs that four processes store concurrently do not see each other.
    // Each round of the large account can therefore be as many jobs longer as there are processes.
    const places = sandbox.submissions.flatMap(({ prompt }, place) => (prompt.includes('of few') ? place : []));
    expect(Math.max(...places)).toBeLessThan(all.length - CONCURRENCY);
  }, 120_000);

  it('top up a low account once, with several sweeping replicas', async () => {
    const { accountId, client } = await openAccount(stack, { balance_micros: 1_000_000 });
    await rechargeAutomatically(stack, {
      account_id: accountId,
      threshold_micros: 1_000_000,
      amount_micros: 5_000_000,
    });
    const rounds = [1, 2];
    for (const round of rounds) {
      await fail(client, `round ${round}`, 1);
      await waitFor(async () => (await count(accountId, 'failed')) === round, { timeoutMs: 30_000 });
      await waitFor(async () => (await client.balanceMicros()) === 6_000_000, { timeoutMs: 30_000 });
    }
    expect(await listPayments(stack, accountId)).toEqual([expect.objectContaining({ state: 'succeeded' })]);
  });

  it('share one bucket for the rate of a key', async () => {
    const { client } = await openAccount(stack, { rate_limit_rpm: RPM });
    const doors = await atEachGateway(client);
    expect(doors).toHaveLength(REPLICAS);
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: REPLICAS * RPM }, (_, index) => (doors[index % REPLICAS] as ApiClient).get('/account')),
    );
    const refilled = ((performance.now() - startedAt) / 60_000) * RPM;
    const allowed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(allowed.length + refused.length).toBe(REPLICAS * RPM);
    expect(allowed.length).toBeGreaterThanOrEqual(RPM);
    expect(allowed.length).toBeLessThanOrEqual(RPM + refilled + 1);
    for (const { headers } of answers) expect(headers.get('ratelimit-limit')).toBe(String(RPM));
    for (const { headers } of refused) {
      expect(headers.get('ratelimit-remaining')).toBe('0');
      expect(headers.get('retry-after')).toBe('1');
    }
  });

  it('take over the attempts of a runner that is stopped beyond its lease, and ignore its late writes', async () => {
    const { accountId, client } = await openAccount(stack);
    const before = sandbox.submissions.length;
    const deliveredBefore = receiver.requests.length;
    const answer = sandbox.holdAnswers();
    const ids = await fail(client, 'held', CONCURRENCY);
    await waitFor(() => sandbox.submissions.length === before + CONCURRENCY);
    const { processes } = await stack.describe();
    // All but one, so that the process with the jobs is most likely among them.
    const stopped = ['jobs', 'jobs-2', 'jobs-3'].map((name) => processes[name]?.pid as number);
    try {
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      await database.query(END_LEASES);
      answer();
      await waitFor(async () => (await count(accountId, 'failed')) === CONCURRENCY, { timeoutMs: 30_000 });
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await waitFor(() => receiver.requests.length >= deliveredBefore + ids.length, { timeoutMs: 30_000 });
    for (const id of ids) expect((await client.ended(id)).error?.code).toBe('provider_error');
    // A second submission of the same task starts nothing; a submission of another task must not happen.
    expect(new Set(sandbox.submissions.slice(before).map(({ id }) => id)).size).toBe(CONCURRENCY);
    expect(
      receiver.requests
        .slice(deliveredBefore)
        .map(({ body }) => jobIn(body))
        .sort(),
    ).toEqual([...ids].sort());
  }, 120_000);
});

/** The job of a webhook. */
function jobIn(body: Buffer): string {
  return (JSON.parse(body.toString()) as { data: { object: { id: string } } }).data.object.id;
}
