import { waitFor } from '@kinora/testing';
import { type JobsServiceFixture, useJobs } from './jobs-service.fixtures';

const JOBS = 500;
/** Acts like a runner that has submitted every waiting job and then stopped. */
const SEND_ALL = `WITH sent AS (UPDATE job SET claimable_at = NULL WHERE claimable_at IS NOT NULL RETURNING id)
   INSERT INTO attempt (job_id, number, provider, state, upstream_id, checked_at, next_check_at)
   SELECT id, 1, 'sandbox', 'accepted', id || '-1', clock_timestamp() - interval '6 seconds', clock_timestamp() FROM sent
   RETURNING upstream_id`;
/** In the future, because five hundred reads may take a busy machine more than five seconds. */
const MARK_CHECKED = `UPDATE attempt SET checked_at = clock_timestamp() + interval '1 minute'`;
/** The interval of the runner's polls of one backend. */
const TICK_MS = 100;

/** Jobs that a worker has accepted, and that were not polled for six seconds. */
async function inFlight(jobs: JobsServiceFixture): Promise<string[]> {
  const created = await Promise.all(Array.from({ length: JOBS }, () => jobs.create()));
  const sent = await jobs.query<{ upstream_id: string }>(SEND_ALL);
  for (const { upstream_id } of sent) jobs.worker.tasks.set(upstream_id, { state: 'queued', n: 1 });
  return created.map(({ job }) => job.id);
}

describe('polling attempts', () => {
  describe('for readers', () => {
    const jobs = useJobs('api');
    let ids: string[];

    beforeAll(async () => {
      ids = await inFlight(jobs);
    });

    it('polls a provider a few times for five hundred readers, returns the news to them, and does not poll again', async () => {
      for (const task of jobs.worker.tasks.values()) task.state = 'running';
      // A read that reaches its time limit returns the known state. The poll continues, and the next read returns its result.
      await waitFor(async () => {
        const polled = await Promise.all(ids.map((id) => jobs.get(id)));
        return polled.every(({ status }) => status === 'processing');
      });
      const { polls } = jobs.worker;
      expect(polls).toBeLessThanOrEqual(JOBS / 10);
      // As if the reads before had taken no time: after five seconds a job is polled again.
      await jobs.execute(MARK_CHECKED);
      await Promise.all(ids.map((id) => jobs.get(id)));
      expect(jobs.worker.polls).toBe(polls);
    });
  });

  describe('in the runner', () => {
    const jobs = useJobs();

    beforeAll(async () => {
      jobs.worker.stateOnSubmit = 'queued';
      await Promise.all(Array.from({ length: JOBS }, () => jobs.create()));
      await waitFor(() => jobs.worker.tasks.size === JOBS);
    });

    it('polls a provider once a tick, for any number of jobs', async () => {
      const { polls: before } = jobs.worker;
      const begunAt = performance.now();
      await waitFor(() => jobs.worker.polls >= before + 20);
      const ticks = (performance.now() - begunAt) / TICK_MS;
      expect(jobs.worker.polls - before).toBeLessThanOrEqual(ticks + 2);
    });
  });
});
