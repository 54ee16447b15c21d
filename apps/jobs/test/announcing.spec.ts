import { Controller } from '@nestjs/common';
import { OnSignal } from '@kinora/bus';
import { type ChangedJobs, jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type TestService, startTestService, waitFor } from '@kinora/testing';
import { useJobs } from './jobs-service.fixtures';
import { JobChanges } from '../src/job/job-changes';

const signals: ChangedJobs[] = [];

@Controller()
class ListeningController {
  @OnSignal(jobsSignals.changed)
  receive(changed: ChangedJobs): Promise<void> {
    signals.push(changed);
    return Promise.resolve();
  }
}

describe('the signal of changed jobs', () => {
  const jobs = useJobs();
  let listener: TestService;

  beforeAll(async () => {
    listener = await startTestService({
      name: 'gateway',
      natsUrl: jobs.natsUrl,
      controllers: [ListeningController],
    });
  });

  afterAll(() => listener.close());

  const endsOf = (jobId: string): ChangedJobs[] => signals.filter(({ ended }) => ended.includes(jobId));

  it('reports the start and the end of a job, the end once and after its commit', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    await waitFor(() => signals.some(({ updated }) => updated.includes(job.id)));
    expect((await jobs.get(job.id)).status).toBe('processing');
    jobs.worker.finishAll();
    await waitFor(() => endsOf(job.id).length > 0);
    expect((await jobs.get(job.id)).status).toBe('succeeded');
    expect(endsOf(job.id)).toHaveLength(1);
    await jobs.cancel(job.id);
    expect(endsOf(job.id)).toHaveLength(1);
  });

  it('carries the ends of many jobs', async () => {
    const ids = Array.from({ length: 20 }, () => crypto.randomUUID());
    // Within one window, which a slow machine does not manage with real jobs.
    for (const id of ids) jobs.service.get(JobChanges).addEnded(id, jobs.accountId);
    await waitFor(() => ids.every((id) => endsOf(id).length === 1));
    expect(new Set(ids.flatMap(endsOf)).size).toBeLessThanOrEqual(2);
  });

  it('is repaired by a list of those that have ended', async () => {
    jobs.worker.stateOnSubmit = 'queued';
    const [inFlight, canceled] = [(await jobs.create()).job.id, (await jobs.create()).job.id];
    await jobs.cancel(canceled);
    const { ended } = await jobs.bus.request(jobsRpc.listEnded, { job_ids: [inFlight, canceled, crypto.randomUUID()] });
    expect(ended).toEqual([canceled]);
  });
});
