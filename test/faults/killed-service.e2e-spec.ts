import { waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import type { Usage } from '@kinora/contracts/jobs/usage';
import type { Answer, ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { balanceThroughFaults, endedThroughFaults, tryToCreate } from '../support/through-faults';

const SERVICES = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'sandbox'];
const JOBS = 4;
/** The number of jobs that the balance pays for; the test requests twice as many. */
const AFFORDABLE = 15;

describe('a service that is killed while jobs are in flight', () => {
  let stack: LocalStack;

  beforeAll(async () => {
    stack = await LocalStack.start({ smallImages: true });
  }, 120_000);

  afterAll(() => stack.stop());

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
      await waitFor(async () => (await stack.describe()).processes[service]?.pid !== pid);
      const ended: Job[] = [];
      for (const { id } of accepted) ended.push(await endedThroughFaults(client, id));
      const charged = ended.reduce((sum, { usage }) => sum + usage.charged_micros, 0);
      expect(ended.every(({ status, usage }) => usage.charged_micros === 0 || status === 'succeeded')).toBe(true);
      // The provider causes none of these faults: each job succeeds.
      expect(ended.map(({ status }) => status)).toEqual(Array(JOBS).fill('succeeded'));
      await waitFor(async () => (await balanceThroughFaults(client)) === before - charged);
    },
    120_000,
  );

  it('accepts exactly as many concurrent jobs as a balance pays for, while services are killed', async () => {
    const { client } = await openAccount(stack, { balance_micros: AFFORDABLE * (await priceOfOne()) });
    const balance = await client.balanceMicros();
    // No job ends before all requests are decided, so that no money and no slot is released meanwhile.
    const answers = await rush(client, () => '[[delay:55s]] a lake');
    const accepted = answers.filter(({ status }) => status !== 402).map(({ body }) => body.id);
    expect(accepted).toHaveLength(AFFORDABLE);
    expect(new Set(accepted).size).toBe(AFFORDABLE);
    await Promise.all(accepted.map((id) => cancel(client, id)));
    expect(await client.balanceMicros()).toBe(balance);
  }, 240_000);

  it('charges only succeeded jobs, among concurrent failures and cancels', async () => {
    const { client } = await openAccount(stack);
    const balance = await client.balanceMicros();
    const answers = await rush(client, (index) => (index % 3 === 0 ? '[[fail:error]] a lake' : '[[delay:1s]] a lake'));
    const ids = answers.map(({ body }) => body.id);
    await Promise.all(ids.filter((_, index) => index % 4 === 0).map((id) => cancel(client, id)));
    const ended = await Promise.all(ids.map((id) => endedThroughFaults(client, id)));
    const charged = ended.reduce((sum, { usage }) => sum + usage.charged_micros, 0);
    const paidFor = ended.filter(({ usage }) => usage.charged_micros > 0);
    expect(paidFor).toEqual(ended.filter(({ status }) => status === 'succeeded'));
    await waitFor(async () => (await balanceThroughFaults(client)) === balance - charged, { timeoutMs: 30_000 });
    const { total } = (await client.get<Usage>('/usage')).body;
    expect(total).toMatchObject({ jobs: ids.length, charged_micros: charged });
  }, 240_000);

  const priceOfOne = async (): Promise<number> =>
    (await (await openAccount(stack)).client.generate({ prompt: 'a lake' })).usage.charged_micros;

  /** Twice as many concurrent creates as the smaller balance pays for, while three services die. */
  async function rush(client: ApiClient, promptOf: (index: number) => string): Promise<Answer<Job>[]> {
    const create = (index: number): Promise<Answer<Job>> =>
      waitFor(
        async () => {
          const answer = await tryToCreate(client, `rush-${index}`, { prompt: promptOf(index) });
          return answer && answer.status !== 503 ? answer : null;
        },
        { timeoutMs: 90_000 },
      );
    const { processes } = await stack.describe();
    const creates = Promise.all(Array.from({ length: 2 * AFFORDABLE }, (_, index) => create(index)));
    for (const service of ['billing', 'jobs', 'gateway']) process.kill(processes[service]?.pid ?? 0, 'SIGKILL');
    return await creates;
  }
});

/** Retries until the cancel is confirmed; an ended job stays as it is. */
async function cancel(client: ApiClient, id: string): Promise<void> {
  await waitFor(async () => (await client.post(`/jobs/${id}/cancel`)).status === 200, { timeoutMs: 30_000 });
}
