import { v7 as uuidv7 } from 'uuid';
import { waitFor } from '@kinora/testing';
import { suspendedAccountsRpc } from '@kinora/contracts/jobs/suspended-accounts.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { AttemptCancelRepository, type AttemptToCancel } from '../src/attempt/attempt-cancel.repository';
import { useJobs } from './jobs-service.fixtures';
import { GPU_MS } from './worker.fixtures';

const HURRY = 'UPDATE attempt SET cancel_at = clock_timestamp() WHERE cancel_at IS NOT NULL';
const CANCELS =
  'SELECT cancel_at IS NULL AS is_over, cancel_tries AS tries, cancel_outcome AS outcome, gpu_ms FROM attempt WHERE job_id = $1';

interface SeenCancel {
  is_over: boolean;
  tries: number;
  outcome: string | null;
  gpu_ms: number | null;
}

describe('a cancel at a provider', () => {
  const jobs = useJobs();

  beforeEach(() => {
    const { worker } = jobs;
    Object.assign(worker, { stateOnSubmit: 'running', isTooLate: false, ignoresCancels: false, breaksCancels: 0 });
  });

  const cancelOf = async (jobId: string) => (await jobs.query<SeenCancel>(CANCELS, jobId))[0];

  /** Waits for the end of the cancel. Each try is made due at once. */
  const over = (jobId: string): Promise<SeenCancel> =>
    waitFor(async () => {
      await jobs.execute(HURRY);
      const cancel = await cancelOf(jobId);
      return cancel?.is_over ? cancel : null;
    });

  async function runAndCancel(): Promise<string> {
    const { job } = await jobs.create();
    await jobs.whenProcessing(job.id);
    expect(await jobs.cancel(job.id)).toMatchObject({ status: 'canceled' });
    return job.id;
  }

  it('is answered at once, and repeated until the provider has received it', async () => {
    jobs.worker.breaksCancels = 3;
    const jobId = await runAndCancel();
    expect(await over(jobId)).toMatchObject({ outcome: 'stopped', tries: 4 });
    expect(jobs.worker.canceled).toContain(`${jobId}-1`);
  });

  it('that comes too late records the GPU time of a success, which is neither fetched nor charged', async () => {
    jobs.worker.isTooLate = true;
    const fetches = jobs.worker.fetches;
    const jobId = await runAndCancel();
    expect(await over(jobId)).toMatchObject({ outcome: 'too_late', gpu_ms: GPU_MS });
    expect(jobs.worker.fetches).toBe(fetches);
    expect(await jobs.get(jobId)).toMatchObject({ status: 'canceled', output: null, usage: { charged_micros: 0 } });
    expect(jobs.holdState(jobId)).toBe('refunded');
    const { attempts, canceled_work } = await jobs.bus.request(jobsRpc.show, { job_id: jobId });
    expect(attempts).toMatchObject([{ number: 1, outcome: 'canceled', cancel_outcome: 'too_late', gpu_ms: GPU_MS }]);
    expect(canceled_work).toEqual({ attempts: 2, too_late: 1, gpu_ms: GPU_MS });
  });

  it('counts the GPU time of a failed attempt once, although it was known before the cancel', async () => {
    const gpuMsOf = async (job_id: string): Promise<number> =>
      (await jobs.bus.request(jobsRpc.show, { job_id })).canceled_work.gpu_ms;
    const before = await runAndCancel();
    await over(before);
    const known = await gpuMsOf(before);
    jobs.worker.stateOnSubmit = 'failed';
    const { job } = await jobs.create();
    await jobs.whenEnded(job.id);
    expect(await over(job.id)).toMatchObject({ gpu_ms: GPU_MS });
    expect(await gpuMsOf(job.id)).toBe(known + GPU_MS);
  });

  it('of a succeeded task adds nothing to canceled work', async () => {
    const wasteOf = async (job_id: string) => (await jobs.bus.request(jobsRpc.show, { job_id })).canceled_work;
    const before = await runAndCancel();
    await over(before);
    const known = await wasteOf(before);
    jobs.worker.stateOnSubmit = 'succeeded';
    const { job } = await jobs.create();
    await jobs.whenEnded(job.id);
    expect(await over(job.id)).toMatchObject({ gpu_ms: GPU_MS });
    expect(await jobs.get(job.id)).toMatchObject({ status: 'succeeded' });
    expect(await wasteOf(job.id)).toEqual(known);
    const { attempts } = await jobs.bus.request(jobsRpc.show, { job_id: job.id });
    expect(attempts).toMatchObject([{ outcome: 'succeeded', cancel_outcome: null }]);
  });

  it('is ended only by its latest try', async () => {
    jobs.worker.ignoresCancels = true;
    const jobId = await runAndCancel();
    await waitFor(async () => ((await cancelOf(jobId))?.tries ?? 0) > 0);
    const older = { job_id: jobId, number: 1, cancel_tries: 0 } as AttemptToCancel;
    const cancels = new AttemptCancelRepository(jobs.database.database);
    await cancels.finish(older, { outcome: 'gave_up', gpuMs: null });
    expect(await cancelOf(jobId)).toMatchObject({ is_over: false, outcome: null });
    jobs.worker.ignoresCancels = false;
    expect(await over(jobId)).toMatchObject({ outcome: 'stopped' });
  });

  it('of a suspended account reaches its waiting and its running jobs, and no creation under way becomes a job', async () => {
    const { job: running } = await jobs.create();
    await jobs.whenProcessing(running.id);
    const underWay = uuidv7();
    const cancelJobs = (account_id: string, job_ids: string[]) =>
      jobs.bus.request(suspendedAccountsRpc.cancelJobs, { account_id, job_ids });

    expect(await cancelJobs(uuidv7(), [running.id])).toEqual({ settled: [] });
    expect(await jobs.get(running.id)).toMatchObject({ status: 'processing' });

    const ids = [running.id, underWay];
    expect(await cancelJobs(jobs.accountId, ids)).toEqual({ settled: ids });
    expect(await cancelJobs(jobs.accountId, ids)).toEqual({ settled: ids });
    expect(await jobs.get(running.id)).toMatchObject({ status: 'canceled', usage: { charged_micros: 0 } });
    expect(jobs.holdState(running.id)).toBe('refunded');
    expect(await over(running.id)).toMatchObject({ outcome: 'stopped' });
    expect(jobs.worker.canceled).toContain(`${running.id}-1`);
    const input = { prompt: 'a calm sea' };
    const create = { job_id: underWay, kind: 'image.generation' as const, account_id: jobs.accountId, input };
    await expect(jobs.bus.request(jobsRpc.create, create)).rejects.toMatchObject({ code: 'capacity' });
  });

  it('of many jobs at once is counted once for each of them', async () => {
    const countedFor = async (job_id: string): Promise<number> =>
      (await jobs.bus.request(jobsRpc.show, { job_id })).canceled_work.attempts;
    const before = await runAndCancel();
    await over(before);
    const counted = await countedFor(before);
    const ids = await Promise.all(Array.from({ length: 5 }, runAndCancel));
    await Promise.all(ids.map(over));
    expect(await countedFor(before)).toBe(counted + ids.length);
  });

  it('is repeated while the provider reports that it has stopped, but still works', async () => {
    jobs.worker.ignoresCancels = true;
    const jobId = await runAndCancel();
    await waitFor(async () => ((await cancelOf(jobId))?.tries ?? 0) === 1);
    jobs.worker.ignoresCancels = false;
    expect(await over(jobId)).toMatchObject({ outcome: 'stopped', tries: 3 });
  });

  it('stops a task whose submission was on its way when the job was canceled', async () => {
    let release: () => void = () => undefined;
    jobs.worker.heldUp = new Promise((resolve) => (release = resolve));
    const { job } = await jobs.create();
    await waitFor(() => jobs.worker.arrived.includes(`${job.id}-1`));
    await jobs.cancel(job.id);
    await waitFor(() => jobs.worker.canceled.includes(`${job.id}-1`));
    release();
    await waitFor(() => jobs.worker.submitted.some(({ id }) => id === `${job.id}-1`));
    await waitFor(() => !jobs.worker.tasks.has(`${job.id}-1`));
    expect(await over(job.id)).toMatchObject({ outcome: 'stopped' });
  });
});
