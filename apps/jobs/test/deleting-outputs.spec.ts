import { IMAGE } from '@kinora/compute/fixtures';
import { imagesOf, waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { v7 as uuidv7 } from 'uuid';
import { useJobs } from './jobs-service.fixtures';
import { DeleteOutputs } from '../src/deletion/use-cases/delete-outputs.use-case';
import { DeleteOrphans } from '../src/deletion/use-cases/delete-orphans.use-case';

const MAKE_SWEEP_DUE = `UPDATE orphan_sweep SET begun_at = '-infinity', folder = NULL`;
const MAKE_RETRY_DUE = `UPDATE job SET outputs_retry_at = clock_timestamp() - interval '1 second' WHERE id = $1`;

describe('the deletion of outputs', () => {
  const jobs = useJobs();
  beforeEach(() => {
    jobs.worker.stateOnSubmit = 'succeeded';
  });

  const deleteOutputs = (jobId: string, accountId = jobs.accountId): Promise<Job> =>
    jobs.bus.request(jobsRpc.deleteOutputs, { account_id: accountId, job_id: jobId });
  const withoutLinks = (job: Job): Job => ({
    ...job,
    output: { images: imagesOf(job).map((image) => ({ ...image, url: null })) },
  });
  const putLate = async (jobId: string): Promise<string> => {
    const key = `outputs/${jobId}/${jobId}-1-99-0.png`;
    await jobs.objects.put(key, IMAGE, { mime: 'image/png' });
    return key;
  };

  it('has deleted the files when it answers, and leaves the rest of the job unchanged', async () => {
    const done = await jobs.run({ n: 2 });
    const other = await jobs.run();
    expect(await jobs.filesOf(done.id)).toHaveLength(2);
    expect(await deleteOutputs(done.id)).toEqual(withoutLinks(done));
    expect(await jobs.filesOf(done.id)).toEqual([]);
    expect(await jobs.get(done.id)).toEqual(withoutLinks(done));
    expect(await jobs.filesOf(other.id)).toHaveLength(1);
  });

  it('is refused for a job in flight, and for the job of another account', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    await expect(deleteOutputs(job.id)).rejects.toMatchObject({ code: 'job_in_flight', status: 400 });
    await expect(deleteOutputs(job.id, uuidv7())).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteOutputs(uuidv7())).rejects.toMatchObject({ code: 'not_found' });
    const canceled = await jobs.cancel(job.id);
    expect(await deleteOutputs(job.id)).toEqual(canceled);
  });

  it('answers the same when it is repeated, and to several requests at once', async () => {
    const done = await jobs.run();
    const answers = await Promise.all([1, 2, 3].map(() => deleteOutputs(done.id)));
    expect([...answers, await deleteOutputs(done.id)]).toEqual(Array(4).fill(withoutLinks(done)));
  });

  it('deletes what is there again when it is repeated', async () => {
    const done = await jobs.run();
    await deleteOutputs(done.id);
    await putLate(done.id);
    await deleteOutputs(done.id);
    expect(await jobs.filesOf(done.id)).toEqual([]);
  });

  it('answers capacity while the store fails, shows no link from then on, and is completed by a repeat', async () => {
    const done = await jobs.run();
    const repair = await jobs.breakOutputsOf(done.id);
    await expect(deleteOutputs(done.id)).rejects.toMatchObject({ code: 'capacity', status: 503 });
    expect(await jobs.get(done.id)).toEqual(withoutLinks(done));
    await repair();
    expect(await jobs.filesOf(done.id)).toHaveLength(1);
    expect(await deleteOutputs(done.id)).toEqual(withoutLinks(done));
    expect(await jobs.filesOf(done.id)).toEqual([]);
  });

  it('is completed by the sweep if it failed and is never repeated', async () => {
    const done = await jobs.run();
    const repair = await jobs.breakOutputsOf(done.id);
    await expect(deleteOutputs(done.id)).rejects.toMatchObject({ code: 'capacity' });
    await repair();
    await jobs.execute(MAKE_RETRY_DUE, done.id);
    await waitFor(async () => !(await jobs.service.get(DeleteOutputs).deleteExpired()).more);
    await waitFor(async () => (await jobs.filesOf(done.id)).length === 0);
  });

  it('lets the orphan sweep delete an output that a late worker has written after it', async () => {
    const done = await jobs.run();
    await deleteOutputs(done.id);
    const late = await putLate(done.id);
    await jobs.makeOld(late);
    await jobs.execute(MAKE_SWEEP_DUE);
    while ((await jobs.service.get(DeleteOrphans).execute()).more);
    expect(await jobs.objects.stat(late)).toBeNull();
  });

  it('and the orphan sweep at the same time delete each file once and fail neither', async () => {
    const done = await jobs.run({ n: 2 });
    for (const name of await jobs.filesOf(done.id)) await jobs.makeOld(`outputs/${done.id}/${name}`);
    await jobs.execute(MAKE_SWEEP_DUE);
    const [answer] = await Promise.all([deleteOutputs(done.id), jobs.service.get(DeleteOrphans).execute()]);
    expect(answer).toEqual(withoutLinks(done));
    expect(await jobs.filesOf(done.id)).toEqual([]);
  });
});
