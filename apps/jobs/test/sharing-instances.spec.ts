import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { useJobs, useJobsOfEach } from './jobs-service.fixtures';
import { CreatedJobs } from '../src/dispatch/created-jobs';
import { DispatchCreated } from '../src/dispatch/use-cases/dispatch-created.use-case';
import { DispatchJobs } from '../src/dispatch/use-cases/dispatch-jobs.use-case';

const COUNT_ATTEMPTS = 'SELECT count(*) AS count FROM attempt';
const PROMPTS_AS_OPENED = `SELECT input ->> 'prompt' AS prompt FROM attempt JOIN job ON job.id = attempt.job_id
   ORDER BY attempt.created_at, attempt.job_id`;
const COUNT_PARKED = 'SELECT count(*) AS count FROM attempt WHERE parked';

describe('sharing an instance', () => {
  const fixture = useJobsOfEach();
  beforeEach(() => {
    fixture.worker.stateOnSubmit = 'running';
  });

  async function backlog(count: number, accountId = fixture.accountId): Promise<void> {
    for (let job = 0; job < count; job += 1) await fixture.create({ accountId });
  }
  const sent = (): number => fixture.worker.submitted.length;
  const count = async (sql: string): Promise<number> => (await fixture.query<{ count: number }>(sql))[0]?.count ?? 0;

  /** The number of attempts after a complete round: jobs that it has not submitted must wait. */
  async function countAfterRound(): Promise<number> {
    await fixture.service.get(DispatchJobs).execute(() => undefined);
    return await count(COUNT_ATTEMPTS);
  }

  it('gives an instance the tasks of its reported capacity, and one more to keep it busy', async () => {
    fixture.worker.capacity = { concurrency: 2, interleaves: false };
    await backlog(6);
    await waitFor(() => sent() === 3);
    expect(await countAfterRound()).toBe(3);
    fixture.worker.finishAll();
    await waitFor(() => sent() === 6);
  });

  it('serves an account without tasks there before the backlog of another one', async () => {
    fixture.worker.capacity = { concurrency: 1, interleaves: true };
    await backlog(20);
    await waitFor(() => sent() === 2);
    const [second, third] = [uuidv7(), uuidv7()];
    const { job } = await fixture.create({ accountId: second, prompt: 'of the second' });
    await waitFor(() => sent() === 3);
    expect(fixture.worker.submitted.at(-1)).toMatchObject({ id: `${job.id}-1`, body: { prompt: 'of the second' } });
    // Neither a second job of the same account nor another account gets a further place.
    await backlog(1, second);
    await backlog(1, third);
    expect(await countAfterRound()).toBe(3);
  });

  it('does not count tasks that the instance has parked', async () => {
    fixture.worker.capacity = { concurrency: 1, interleaves: false };
    fixture.worker.parks = true;
    await backlog(8);
    await waitFor(() => sent() === 8);
    fixture.worker.parks = false;
    // They count again as soon as a poll has shown that they are running.
    await waitFor(async () => (await count(COUNT_PARKED)) === 0);
    await backlog(1);
    expect(await countAfterRound()).toBe(8);
  });

  it('gives a worker that reports no capacity as much as the setting allows', async () => {
    await backlog(12);
    await waitFor(() => sent() === 12);
  });
});

/** Without the loops of a runner, so that nothing but the calls of the test sends a job. */
describe('jobs that were just created, at an instance with many places', () => {
  const fixture = useJobs('api');
  const ignore = (): void => undefined;
  const sent = (): string[] => fixture.worker.submitted.map(({ body }) => String(body['prompt']));

  it('are sent in their order, and not before one that has waited longer', async () => {
    const { service } = fixture;
    const created = service.get(CreatedJobs);
    created.onCreated(ignore);
    const dispatch = async (): Promise<void> => {
      await service.get(DispatchCreated).execute(ignore);
    };
    // Until the instance has reported its capacity, it gets few tasks.
    await fixture.create({ prompt: 'one' });
    await service.get(DispatchJobs).execute(ignore);
    await waitFor(() => sent().length === 1);
    created.takeAll();

    await fixture.create({ prompt: 'waits' });
    expect(created.takeAll()).toHaveLength(1);
    await fixture.create({ prompt: 'later' });
    await dispatch();
    expect(await fixture.query(COUNT_ATTEMPTS)).toEqual([{ count: 1 }]);

    await service.get(DispatchJobs).execute(ignore);
    await waitFor(() => sent().length === 3);
    const prompts = ['first', 'second', 'third'];
    for (const prompt of prompts) await fixture.create({ prompt });
    await dispatch();
    await waitFor(() => sent().length === 6);
    const opened = await fixture.query<{ prompt: string }>(PROMPTS_AS_OPENED);
    expect(opened.map(({ prompt }) => prompt)).toEqual(['one', 'waits', 'later', ...prompts]);
  });
});
