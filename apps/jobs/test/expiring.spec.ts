import { waitFor } from '@kinora/testing';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { useJobs } from './jobs-service.fixtures';
import { DeleteOutputs } from '../src/deletion/use-cases/delete-outputs.use-case';

const DAY_MS = 86_400_000;
describe('the expiry of outputs', () => {
  const jobs = useJobs();

  const run = async (parts: { n?: number } = {}): Promise<Job> => {
    const { job } = await jobs.create(parts);
    expect(job.expires_at).toBeNull();
    return jobs.whenEnded(job.id);
  };
  const daysKept = ({ completed_at, expires_at }: Job): number =>
    (Date.parse(expires_at ?? '') - Date.parse(completed_at ?? '')) / DAY_MS;

  it('is set by the retention of the account at the creation of the job', async () => {
    const before = await run();
    jobs.fakes.retentionDays = 30;
    const after = await run();
    jobs.fakes.retentionDays = 7;
    expect([daysKept(before), daysKept(await jobs.get(before.id)), daysKept(after)]).toEqual([7, 7, 30]);
  });

  it('uses the clock of the database, also if no job has ended since', async () => {
    const done = await run();
    const later = { completed_at: '9999-01-01T00:00:00.000Z', job_id: done.id };
    const { finished, read_at } = await jobs.bus.request(jobsRpc.listFinished, { after: later, limit: 1 });
    expect(finished).toEqual([]);
    expect(Date.parse(read_at ?? '')).toBeGreaterThanOrEqual(Date.parse(done.completed_at ?? ''));
  });

  it('is not set for a job without outputs', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    expect((await jobs.cancel(job.id)).expires_at).toBeNull();
    jobs.worker.stateOnSubmit = 'succeeded';
  });

  it('removes the files and the links, and leaves the rest of the job unchanged', async () => {
    const done = await run({ n: 2 });
    const files = await jobs.filesOf(done.id);
    expect(files).toHaveLength(2);
    await jobs.letRetentionPass();
    await waitFor(async () => !(await jobs.service.get(DeleteOutputs).deleteExpired()).more);
    // The loop of the service may have claimed the job first.
    await waitFor(async () => (await jobs.storedFiles()).length === 0);
    const later = await jobs.get(done.id);
    const images = done.output && 'images' in done.output ? done.output.images : [];
    expect(images).toHaveLength(2);
    expect(later).toEqual({
      ...done,
      expires_at: later.expires_at,
      output: { images: images.map((image) => ({ ...image, url: null })) },
    });
  });
});
