import { IMAGE } from '@kinora/compute/fixtures';
import type { JobAttempt } from '@kinora/contracts/jobs/job-history';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { useJobs } from './jobs-service.fixtures';

describe('the reason of a failed attempt', () => {
  const fixture = useJobs();
  beforeEach(() => {
    const { worker } = fixture;
    Object.assign(worker, { stateOnSubmit: 'succeeded', refuses: false, losesAnswers: false, output: IMAGE });
  });

  async function attemptOf(job_id: string, isSought: (attempt: JobAttempt) => boolean): Promise<JobAttempt> {
    return await waitFor(async () => (await fixture.bus.request(jobsRpc.show, { job_id })).attempts.find(isSought));
  }

  it('is the answer of the backend if it refused the job', async () => {
    fixture.worker.refuses = true;
    const { job } = await fixture.create();
    const attempt = await attemptOf(job.id, ({ outcome }) => outcome === 'refused');
    expect(attempt).toMatchObject({ provider: 'sandbox', problem: 'capacity', reason: 'answered 503' });
    await fixture.cancel(job.id);
  });

  it('is the description of the failure by the adapter, and the log line names job and provider', async () => {
    fixture.worker.stateOnSubmit = 'failed';
    const { job } = await fixture.create();
    expect(await attemptOf(job.id, ({ outcome }) => outcome === 'failed')).toMatchObject({ reason: 'the task failed' });
    const details = { job_id: job.id, attempt: 1, provider: 'sandbox', reason: 'the task failed' };
    expect(fixture.service.log.of('attempt_failed')).toContainEqual(expect.objectContaining(details));
  });

  it('names the problem of the outputs, and the log line names job and provider', async () => {
    fixture.worker.output = Buffer.from('not an image');
    const { job } = await fixture.create();
    const attempt = await attemptOf(job.id, ({ outcome }) => outcome === 'failed');
    expect(attempt.reason).toMatch(/^its outputs were not collected: \S/);
    const details = { job_id: job.id, attempt: 1, provider: 'sandbox', code: 'invalid_output' };
    expect(fixture.service.log.of('outputs_not_collected')).toContainEqual(expect.objectContaining(details));
  });

  it('is shown while the result is unknown, and is null after a success', async () => {
    Object.assign(fixture.worker, { losesAnswers: true, stateOnSubmit: 'running' });
    const { job } = await fixture.create();
    const unknown = await attemptOf(job.id, ({ reason }) => reason !== null);
    expect(unknown).toMatchObject({ outcome: null, reason: expect.stringMatching(/^no answer: /) as string });
    fixture.worker.finishAll();
    await fixture.whenEnded(job.id);
    expect(await attemptOf(job.id, ({ outcome }) => outcome === 'succeeded')).toMatchObject({ reason: null });
  });

  it('is the cancel of its job if nothing else is known', async () => {
    fixture.worker.stateOnSubmit = 'running';
    const { job } = await fixture.create();
    await fixture.whenProcessing(job.id);
    await fixture.cancel(job.id);
    expect(await attemptOf(job.id, ({ outcome }) => outcome === 'canceled')).toMatchObject({
      reason: 'its job was canceled',
    });
  });
});
