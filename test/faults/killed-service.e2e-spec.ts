import { waitFor } from '@kinora/testing';
import type { Account } from '@kinora/contracts/billing/account';
import type { Job } from '@kinora/contracts/jobs/job';
import { LocalStack } from '../support/local-stack';
import { openAccount, verifyLedger } from '../support/operator';

const SERVICES = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'sandbox'];
const JOBS = 6;

describe('a service that is killed while jobs are in flight', () => {
  let stack: LocalStack;

  beforeAll(async () => {
    stack = await LocalStack.start();
  }, 120_000);

  afterAll(() => stack.stop(), 30_000);

  it.each(SERVICES)(
    'comes back, and every job ends with the right money: %s',
    async (service) => {
      const { client } = await openAccount(stack);
      const before = await client.balanceMicros();
      const accepted = await Promise.all(
        Array.from({ length: JOBS }, (_, index) => client.generate({ prompt: `[[delay:1s]] a lake, number ${index}` })),
      );
      const { pid } = (await stack.describe()).processes[service] ?? { pid: 0 };
      process.kill(pid, 'SIGKILL');
      await waitFor(async () => (await stack.describe()).processes[service]?.pid !== pid, { timeoutMs: 15_000 });
      const ended: Job[] = [];
      for (const { id } of accepted) ended.push(await endedThroughFaults(client, id));
      const charged = ended.reduce((sum, { usage }) => sum + usage.charged_micros, 0);
      expect(ended.every(({ status, usage }) => usage.charged_micros === 0 || status === 'succeeded')).toBe(true);
      // Nothing of these faults is the provider's: each job is brought to its picture.
      expect(ended.map(({ status }) => status)).toEqual(Array(JOBS).fill('succeeded'));
      await waitFor(async () => (await balanceOf(client)) === before - charged, { timeoutMs: 10_000 });
      await waitFor(async () => (await verifyLedger(stack)).ok, { timeoutMs: 10_000 });
    },
    120_000,
  );
});

type Client = Awaited<ReturnType<typeof openAccount>>['client'];

/** While a service is away a read may be refused or find nobody; it may not say anything wrong. */
async function endedThroughFaults(client: Client, id: string): Promise<Job> {
  return await waitFor(
    async () => {
      const answer = await client.get<Job>(`/jobs/${id}`).catch(() => null);
      if (answer && answer.status !== 200 && answer.status !== 503)
        throw new Error(`A read answered ${answer.status}.`);
      return answer?.status === 200 && answer.body.completed_at !== null ? answer.body : null;
    },
    { timeoutMs: 90_000 },
  );
}

async function balanceOf(client: Client): Promise<number | null> {
  const answer = await client.get<Account>('/account').catch(() => null);
  return answer?.status === 200 ? answer.body.balance_micros : null;
}
