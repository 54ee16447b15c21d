import type { Job, JobList } from '@kinora/contracts/jobs/job';
import { waitFor } from '@kinora/testing';
import { type ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const BACKLOG = 60;
const IMAGES_A_JOB = 4;

/** The stack as `npm start` runs it, without any setting. */
describe('dispatch in the default stack', () => {
  let stack: LocalStack;

  beforeAll(async () => {
    stack = await LocalStack.start();
  }, 120_000);
  afterAll(() => stack.stop());

  async function cancelAll(client: ApiClient, jobs: Job[]): Promise<void> {
    await Promise.all(jobs.map(({ id }) => client.post(`/jobs/${id}/cancel`)));
  }

  async function endedOf(client: ApiClient): Promise<Job[]> {
    const { body } = await client.get<JobList>('/jobs?limit=100');
    return body.data.filter(({ completed_at }) => completed_at !== null);
  }

  it('serves a later account after at most two images, despite a backlog and hanging tasks', async () => {
    const [{ client: hostile }, { client: busy }, { client: later }] = await Promise.all([
      openAccount(stack),
      openAccount(stack),
      openAccount(stack),
    ]);
    const hanging = await Promise.all(
      Array.from({ length: 5 }, () => hostile.generate({ prompt: '[[fail:timeout]] a river' })),
    );
    const size = '1024x1024';
    const backlog = await Promise.all(
      Array.from({ length: BACKLOG }, () => busy.generate({ prompt: 'a forest', size, n: IMAGES_A_JOB })),
    );
    await waitFor(async () => (await busy.get<JobList>('/jobs?status=processing')).body.data.length > 0);
    const single = await later.generate({ prompt: 'a lake', size });
    const served = await later.ended(single.id, 60_000);
    expect(served.status).toBe('succeeded');
    // No clock is read: two tasks of the backlog may end beside one image, and none that started after it.
    const from = Date.parse(single.created_at);
    const to = Date.parse(served.started_at ?? '');
    const ended = (await endedOf(busy)).filter(({ completed_at: at }) => {
      const atMs = Date.parse(at ?? '');
      return atMs >= from && atMs <= to;
    });
    expect(ended.length).toBeLessThanOrEqual(2);
    await cancelAll(busy, backlog);
    await cancelAll(hostile, hanging);
  }, 120_000);
});
