import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { useJobsOfEach } from './jobs-service.fixtures';

const ADD_ATTEMPT = `INSERT INTO attempt (job_id, number, provider, upstream_id, state, outcome, progress, progress_at, next_check_at)
   VALUES ($1, 7, 'sandbox', 'x', 'ended', 'lost', 0.9, clock_timestamp(), clock_timestamp())`;
const PRESENT_RUN_TIMES = 'SELECT sum(jobs)::integer AS jobs FROM run_time';

describe('the progress of a job', () => {
  const jobs = useJobsOfEach();
  beforeEach(() => {
    jobs.worker.stateOnSubmit = 'queued';
  });

  const progressOf = (jobId: string, accountId = jobs.accountId): Promise<JobProgress> =>
    jobs.bus.request(jobsRpc.getProgress, { account_id: accountId, job_id: jobId });
  const taskOf = (jobId: string) => jobs.worker.tasks.get(`${jobId}-1`);

  it('is what the backend reports, never falls, and is 1 after a success', async () => {
    const { job } = await jobs.create();
    const task = await waitFor(() => taskOf(job.id));
    expect(await progressOf(job.id)).toMatchObject({ object: 'job.progress', job_id: job.id, progress: null });
    Object.assign(task, { state: 'running', progress: 0.25 });
    const first = await waitFor(async () => {
      const progress = await progressOf(job.id);
      return progress.progress === 0.25 ? progress : null;
    });
    expect(first).toMatchObject({ status: 'processing', queue_position: null });
    task.progress = 0.1;
    const polls = jobs.worker.polls;
    await waitFor(() => jobs.worker.polls >= polls + 2);
    expect(await progressOf(job.id)).toEqual({ ...first, eta_seconds: null });
    Object.assign(task, { state: 'succeeded', progress: 1 });
    const done = await jobs.whenEnded(job.id);
    const last = { status: 'succeeded', progress: 1, queue_position: null, eta_seconds: null };
    expect(await progressOf(job.id)).toMatchObject({ ...last, updated_at: done.completed_at });
  });

  it('is null, also at the end, where the backend reports nothing', async () => {
    jobs.worker.stateOnSubmit = 'succeeded';
    const { job } = await jobs.create();
    await jobs.whenEnded(job.id);
    expect(await progressOf(job.id)).toMatchObject({ status: 'succeeded', progress: null });
  });

  it('does not fall with a new attempt', async () => {
    const { job } = await jobs.create();
    const task = await waitFor(() => taskOf(job.id));
    await jobs.execute(ADD_ATTEMPT, job.id);
    Object.assign(task, { state: 'running', progress: 0.3 });
    await waitFor(async () => (await progressOf(job.id)).status === 'processing');
    expect((await progressOf(job.id)).progress).toBe(0.9);
  });

  it('is given in whole percents', async () => {
    const { job } = await jobs.create();
    Object.assign(await waitFor(() => taskOf(job.id)), { state: 'running', progress: 0.3157 });
    expect(await waitFor(async () => (await progressOf(job.id)).progress)).toBe(0.31);
  });

  it('is found by its account only', async () => {
    const { job } = await jobs.create();
    await expect(progressOf(job.id, uuidv7())).rejects.toMatchObject({ code: 'not_found' });
    await expect(progressOf(uuidv7())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has the place in the queue by which the fair queue then serves the jobs', async () => {
    jobs.worker.capacity = { concurrency: 1, interleaves: false };
    const accounts = [uuidv7(), uuidv7(), uuidv7()];
    const created: { id: string; accountId: string }[] = [];
    // The first account has most jobs and was first: a queue in the order of creation would serve its jobs first.
    for (const [place, jobsOfAccount] of [6, 3, 2].entries()) {
      const accountId = accounts[place] as string;
      for (let n = 0; n < jobsOfAccount; n++) {
        const { job } = await jobs.create({ accountId });
        created.push({ id: job.id, accountId });
      }
    }
    const positions = await waitFor(async () => {
      const all = await Promise.all(created.map(({ id, accountId }) => progressOf(id, accountId)));
      const isSettled = jobs.worker.submitted.length === 2 && all.every(({ status }) => status === 'queued');
      return isSettled ? all.map(({ job_id, queue_position }) => ({ job_id, queue_position })) : null;
    });
    const submittedFirst = jobs.worker.submitted.map(({ id }) => id.slice(0, 36));
    const waiting = positions.filter(({ job_id }) => !submittedFirst.includes(job_id));
    expect(waiting.map(({ queue_position }) => queue_position).sort((a, b) => Number(a) - Number(b))).toEqual(
      waiting.map((_, place) => place),
    );
    const finisher = setInterval(() => jobs.worker.finishAll(), 20);
    await waitFor(() => jobs.worker.submitted.length === created.length);
    clearInterval(finisher);
    const served = jobs.worker.submitted.map(({ id }) => id.slice(0, 36)).slice(2);
    const foretold = waiting.sort((a, b) => Number(a.queue_position) - Number(b.queue_position));
    expect(served).toEqual(foretold.map(({ job_id }) => job_id));
  });

  it('has an estimate once run times were measured, also for a job that does not exist yet', async () => {
    const payer = { account_id: jobs.accountId, api_key_id: crypto.randomUUID() };
    const quote = () =>
      jobs.bus.request(jobsRpc.quotePrice, { ...payer, kind: 'image.generation', input: { prompt: 'a calm sea' } });
    expect((await quote()).eta_seconds).toBeNull();
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    expect((await progressOf(job.id)).eta_seconds).toBeNull();
    await waitFor(() => taskOf(job.id));
    jobs.worker.finishAll();
    const { started_at, completed_at } = await jobs.whenEnded(job.id);
    const runSeconds = (Date.parse(completed_at ?? '') - Date.parse(started_at ?? '')) / 1_000;
    await waitFor(async () => (await jobs.query<{ jobs: number }>(PRESENT_RUN_TIMES))[0]?.jobs === 1);
    const estimate = await waitFor(async () => (await quote()).eta_seconds);
    expect(Math.abs(estimate - runSeconds)).toBeLessThan(0.06 * runSeconds + 0.02);
    const next = (await jobs.create()).job.id;
    expect((await progressOf(next)).eta_seconds).toBeGreaterThan(0);
  });
});
