import { type NatsConnection, batchSubject, connectNats } from '@kinora/bus';
import { TestBroker, createTestLog, waitFor } from '@kinora/testing';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Client } from 'pg';
import type { Answer, ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount, verifyLedger } from '../support/operator';

const AT_ONCE = 3;
/** Longer than any caller of a creation waits. */
const GIVEN_UP_WITHIN_MS = 25_000;
const HOLDS_OF = `SELECT FROM billing.hold WHERE account_id = $1 AND state = 'held'`;

/** A process that is frozen reads its messages later, however old they are. */
describe('creations that were given up while their messages waited', () => {
  let broker: TestBroker;
  let observer: NatsConnection;
  let stack: LocalStack;
  let database: Client;
  let sent = 0;

  beforeAll(async () => {
    broker = await TestBroker.start();
    stack = await LocalStack.start({ smallImages: true, env: { NATS_URL: broker.url, KINORA_REPLICAS: 'gateway=2' } });
    database = await stack.connect();
    observer = await connectNats({ url: broker.url, name: 'observer', logger: createTestLog().logger });
    observer.subscribe(batchSubject(jobsRpc.create.subject), {
      callback: (_, { data }) => (sent += (JSON.parse(Buffer.from(data).toString()) as unknown[]).length),
    });
  }, 120_000);

  afterAll(async () => {
    await observer.close();
    await stack.stop();
    await broker.close();
  });

  const processOf = async (name: string) => {
    const found = (await stack.describe()).processes[name];
    if (found === undefined) throw new Error(`The stack has no ${name}.`);
    return found;
  };

  const createAll = (client: ApiClient): Promise<Answer<Job> | null>[] =>
    Array.from({ length: AT_ONCE }, (_, index) =>
      client.post<Job>('/images/generations', client.bodyOf({ prompt: `a lake, number ${index}` })).catch(() => null),
    );

  const open = async () => {
    const account = await openAccount(stack);
    return { ...account, balance: await account.client.balanceMicros() };
  };

  /** Only a creation that comes later is charged, when jobs has read every message that came before it. */
  async function expectNothingCharged({ client, accountId, balance }: Awaited<ReturnType<typeof open>>): Promise<void> {
    const later = await waitFor(
      () => client.generate({ prompt: 'a later lake' }, { 'idempotency-key': 'later' }).catch(() => null),
      { timeoutMs: 60_000 },
    );
    const { usage } = await client.ended(later.id);
    await waitFor(async () => (await client.balanceMicros()) === balance - usage.charged_micros, { timeoutMs: 30_000 });
    const { data } = (await client.get<JobList>('/jobs')).body;
    const charged = data.filter((job) => job.id !== later.id && job.status !== 'canceled');
    expect(charged).toEqual([]);
    await waitFor(async () => (await database.query(HOLDS_OF, [accountId])).rowCount === 0, { timeoutMs: 30_000 });
    await waitFor(async () => (await verifyLedger(stack)).ok, { timeoutMs: 30_000 });
  }

  it('make and charge nothing when jobs runs again, neither after a 503 nor if their gateway was killed while it waited', async () => {
    const [refused, cutOff] = [await open(), await open()];
    const [jobs, doomed] = [await processOf('jobs'), await processOf('gateway-2')];
    process.kill(jobs.pid, 'SIGSTOP');
    try {
      const refusedAnswers = createAll(refused.client);
      const cutOffAnswers = createAll(cutOff.client.at(doomed.base_url ?? ''));
      await waitFor(() => sent === 2 * AT_ONCE);
      const frozenAt = performance.now();
      process.kill(doomed.pid, 'SIGKILL');
      expect(await Promise.all(cutOffAnswers)).toEqual(Array(AT_ONCE).fill(null));
      const statuses = (await Promise.all(refusedAnswers)).map((answer) => answer?.status);
      expect(statuses).toEqual(Array(AT_ONCE).fill(503));
      expect(sent).toBe(2 * AT_ONCE);
      // Their callers would have waited until now.
      await waitFor(() => performance.now() - frozenAt > GIVEN_UP_WITHIN_MS, { timeoutMs: 30_000 });
    } finally {
      process.kill(jobs.pid, 'SIGCONT');
    }
    await expectNothingCharged(refused);
    await expectNothingCharged(cutOff);
  }, 180_000);
});
