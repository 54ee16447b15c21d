import { type NatsConnection, batchSubject, connectNats } from '@kinora/bus';
import { TestBroker, createTestLog, waitFor } from '@kinora/testing';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { Client } from 'pg';
import type { Answer, ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount, verifyLedger } from '../support/operator';

const AT_ONCE = 3;
const HOLDS_OF = `SELECT FROM billing.hold WHERE account_id = $1 AND state = 'held'`;

/** A process that is frozen reads its messages later, however old they are. */
describe('creations that were given up while their messages waited', () => {
  let broker: TestBroker;
  let observer: NatsConnection;
  let stack: LocalStack;
  let database: Client;
  let client: ApiClient;
  let accountId: string;
  let balance: number;
  let sent = 0;

  beforeAll(async () => {
    broker = await TestBroker.start();
    stack = await LocalStack.start({ smallImages: true, env: { NATS_URL: broker.url } });
    database = new Client({ connectionString: (await stack.describe()).database_url });
    await database.connect();
    observer = await connectNats({ url: broker.url, name: 'observer', logger: createTestLog().logger });
    observer.subscribe(batchSubject(jobsRpc.create.subject), {
      callback: (_, { data }) => (sent += (JSON.parse(Buffer.from(data).toString()) as unknown[]).length),
    });
  }, 120_000);

  afterAll(async () => {
    await observer.close();
    await database.end();
    await stack.stop();
    await broker.close();
  });

  beforeEach(async () => {
    ({ client, accountId } = await openAccount(stack));
    balance = await client.balanceMicros();
    sent = 0;
  });

  const pidOf = async (name: string): Promise<number> => (await stack.describe()).processes[name]?.pid as number;

  const createAll = (): Promise<Answer<Job> | null>[] =>
    Array.from({ length: AT_ONCE }, (_, index) =>
      client.post<Job>('/images/generations', client.bodyOf({ prompt: `a lake, number ${index}` })).catch(() => null),
    );

  /** Only a creation that comes later is charged, when jobs has read every message that came before it. */
  async function expectNothingCharged(): Promise<void> {
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

  it('make and charge nothing after a 503, when jobs runs again', async () => {
    const jobs = await pidOf('jobs');
    process.kill(jobs, 'SIGSTOP');
    try {
      const answers = await Promise.all(createAll());
      expect(answers.map((answer) => answer?.status)).toEqual(Array(AT_ONCE).fill(503));
      expect(sent).toBe(AT_ONCE);
    } finally {
      process.kill(jobs, 'SIGCONT');
    }
    await expectNothingCharged();
  }, 180_000);

  it('make and charge nothing, if their gateway is killed while it waits', async () => {
    const [jobs, gateway] = [await pidOf('jobs'), await pidOf('gateway')];
    process.kill(jobs, 'SIGSTOP');
    try {
      const answers = createAll();
      await waitFor(() => sent === AT_ONCE);
      const frozenAt = performance.now();
      process.kill(gateway, 'SIGKILL');
      expect(await Promise.all(answers)).toEqual(Array(AT_ONCE).fill(null));
      // Their callers would have waited until now.
      await waitFor(() => performance.now() - frozenAt > 25_000, { timeoutMs: 30_000 });
    } finally {
      process.kill(jobs, 'SIGCONT');
    }
    await expectNothingCharged();
  }, 180_000);
});
