import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, type ReceivedRequest, waitFor } from '@kinora/testing';
import type { Account } from '@kinora/contracts/billing/account';
import type { Client } from 'pg';
import type { Answer, ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { listPayments, openAccount, rechargeAutomatically } from '../support/operator';
import { type Submission, WatchedSandbox } from '../support/watched-sandbox';

const SERVICES = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher'];
const REPLICAS = 4;
/** Slots of the sandbox, over all processes. */
const CONCURRENCY = 3;
const RPM = 120;
/** Concurrent requests at each gateway: enough to compete for the last tokens, few enough to be answered in time. */
const AT_ONCE = 10;
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
    database = await stack.connect();
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await Promise.all([sandbox.close(), receiver.close()]);
  });

  async function atEachGateway(client: ApiClient): Promise<ApiClient[]> {
    const { processes } = await stack.describe();
    return Object.values(processes).flatMap(({ base_url }) => (base_url === undefined ? [] : client.at(base_url)));
  }

  /** Creates failing jobs, one at each gateway at a time. */
  async function fail(client: ApiClient, name: string, count: number): Promise<string[]> {
    const doors = await atEachGateway(client);
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    const ids: string[] = [];
    while (ids.length < count) {
      const created = doors
        .slice(0, count - ids.length)
        .map((door) => door.generate({ prompt: `[[fail:error]] ${name}`, webhook_url }));
      ids.push(...(await Promise.all(created)).map(({ id }) => id));
    }
    return ids;
  }

  // Other tests of this file have webhooks and submissions too, and their last ones may still be on their way.
  const webhooksOf = (ids: string[]): ReceivedRequest[] =>
    receiver.requests.filter(({ body }) => ids.includes(jobIn(body)));
  const submissionsOf = (ids: string[]): Submission[] =>
    sandbox.submissions.filter(({ id }) => ids.some((jobId) => id.startsWith(jobId)));

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
    await waitFor(() => webhooksOf(all).length >= all.length, { timeoutMs: 60_000 });
    expect(
      webhooksOf(all)
        .map(({ body }) => jobIn(body))
        .sort(),
    ).toEqual(all);
    expect(new Set(webhooksOf(all).map(({ headers }) => headers['x-service-delivery'])).size).toBe(all.length);
    // A submission that has had no answer in time is repeated under its id, which starts nothing.
    const tasks = [...new Map(sandbox.submissions.toReversed().map((task) => [task.id, task])).values()].toReversed();
    expect(tasks.map(({ id }) => id).sort()).toEqual(all.map((id) => `${id}-1`));
    expect(sandbox.mostAtOnce).toBe(CONCURRENCY);
    // Without fair queuing, the three jobs would come last. Jobs that are stored concurrently do not see each other, so a round
    // of the large account can have as many jobs as there are gateways. With all of them stored at once, its rounds could
    // comprise all jobs before the third of the small account.
    const places = tasks.flatMap(({ prompt }, place) => (prompt.includes('of few') ? place : []));
    expect(Math.max(...places)).toBeLessThan(all.length - CONCURRENCY);
  }, 240_000);

  it('top up a low account once, with several sweeping replicas', async () => {
    const { accountId, client } = await openAccount(stack, { balance_micros: 1_000_000 });
    // Low from the start: billing polls balances, and could miss one that is low only while a failing job holds its price.
    await rechargeAutomatically(stack, {
      account_id: accountId,
      threshold_micros: 2_000_000,
      amount_micros: 5_000_000,
    });
    const rounds = [1, 2];
    for (const round of rounds) {
      await fail(client, `round ${round}`, 1);
      await waitFor(async () => (await count(accountId, 'failed')) === round);
      await waitFor(async () => (await client.balanceMicros()) === 6_000_000);
    }
    expect(await listPayments(stack, accountId)).toEqual([expect.objectContaining({ state: 'succeeded' })]);
  }, 240_000);

  it('share one bucket for the rate of a key', async () => {
    const { client } = await openAccount(stack, { rate_limit_rpm: RPM });
    const doors = await atEachGateway(client);
    expect(doors).toHaveLength(REPLICAS);
    // While billing does not answer in time, a gateway answers 503, and the token may be spent. The client tries again.
    let unavailable = 0;
    const ask = (door: ApiClient): Promise<Answer<Account>> =>
      waitFor(async () => {
        const answer = await door.get<Account>('/account');
        if (answer.status === 503) unavailable += 1;
        return answer.status !== 503 && answer;
      });
    const startedAt = performance.now();
    const answers: Answer<Account>[] = [];
    // In rounds, because a gateway may return the leased tokens that it does not need only after others were refused.
    for (let sent = 0; sent < RPM; sent += AT_ONCE)
      answers.push(...(await Promise.all(doors.flatMap((door) => Array.from({ length: AT_ONCE }, () => ask(door))))));
    const refilled = ((performance.now() - startedAt) / 60_000) * RPM;
    const allowed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(allowed.length + refused.length).toBe(REPLICAS * RPM);
    expect(allowed.length + unavailable).toBeGreaterThanOrEqual(RPM);
    expect(allowed.length).toBeLessThanOrEqual(RPM + refilled + 1);
    for (const { headers } of answers) expect(headers.get('ratelimit-limit')).toBe(String(RPM));
    for (const { headers } of refused) {
      expect(headers.get('ratelimit-remaining')).toBe('0');
      expect(headers.get('retry-after')).toBe('1');
    }
  });

  it('take over the attempts of a runner that is stopped beyond its lease, and ignore its late writes', async () => {
    const { accountId, client } = await openAccount(stack);
    const answer = sandbox.holdAnswers();
    const ids = await fail(client, 'held', CONCURRENCY);
    const submittedTasks = (): number => new Set(submissionsOf(ids).map(({ id }) => id)).size;
    await waitFor(() => submittedTasks() === CONCURRENCY);
    const { processes } = await stack.describe();
    // All but one, so that the process with the jobs is most likely among them.
    const stopped = ['jobs', 'jobs-2', 'jobs-3'].map((name) => processes[name]?.pid as number);
    try {
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      answer();
      await waitFor(async () => {
        // Repeated, because a renewal that was sent before its process stopped may come after the first statement.
        await database.query(END_LEASES);
        return (await count(accountId, 'failed')) === CONCURRENCY;
      });
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await waitFor(() => webhooksOf(ids).length >= ids.length);
    for (const id of ids) expect((await client.ended(id)).error?.code).toBe('provider_error');
    // A second submission of the same task starts nothing; a submission of another task must not happen.
    expect(submittedTasks()).toBe(CONCURRENCY);
    expect(
      webhooksOf(ids)
        .map(({ body }) => jobIn(body))
        .sort(),
    ).toEqual([...ids].sort());
  }, 240_000);
});

function jobIn(body: Buffer): string {
  return (JSON.parse(body.toString()) as { data: { object: { id: string } } }).data.object.id;
}
