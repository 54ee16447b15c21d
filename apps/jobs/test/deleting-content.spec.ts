import { imagesOf, waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import { type CreateJobRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { useJobs } from './jobs-service.fixtures';
import { DeleteOutputs } from '../src/deletion/use-cases/delete-outputs.use-case';
import { DeleteContent } from '../src/deletion/use-cases/delete-content.use-case';

const HOOK = 'https://hooks.example.com/done?token=CLIENT-TEXT';
/** Every table of the context, as text. A fingerprint of the prompt is no text of it. */
const READ_ROWS = `SELECT job::text AS row FROM job WHERE id = $1 UNION ALL SELECT attempt::text FROM attempt WHERE job_id = $1
   UNION ALL SELECT outbox::text FROM outbox WHERE payload::text LIKE '%' || $1 || '%'`;

/** The sweeps leave a request of the last 30 seconds to its client. */
const MAKE_SWEEPS_DUE = `UPDATE job SET outputs_retry_at = clock_timestamp() - interval '1 second',
                  content_retry_at = clock_timestamp() - interval '1 minute'
    WHERE id = $1`;

describe('the deletion of content', () => {
  const jobs = useJobs();
  beforeEach(() => {
    jobs.worker.stateOnSubmit = 'succeeded';
    jobs.fakes.dispatcherDown = false;
    jobs.fakes.deletedContents.length = 0;
  });

  const deleteContent = (jobId: string): Promise<Job> =>
    jobs.bus.request(jobsRpc.deleteContent, { account_id: jobs.accountId, job_id: jobId });
  const run = async (webhook_url?: string): Promise<Job> => {
    const request: CreateJobRequest = {
      kind: 'image.generation',
      account_id: jobs.accountId,
      input: {
        prompt: 'CLIENT-TEXT in a prompt',
        negative_prompt: 'no CLIENT-TEXT',
        seed: 7,
        loras: [{ id: 'ink-wash', strength: 1 }],
      },
      metadata: { order: 'CLIENT-TEXT' },
      ...(webhook_url === undefined ? {} : { webhook_url }),
    };
    const { job } = await jobs.bus.request(jobsRpc.create, request);
    const done = await jobs.whenEnded(job.id);
    // The relay deletes the event of the end, which holds the prompt, some time after the end.
    await waitFor(async () => !(await rowsOf(done)).includes('job_finished'));
    return done;
  };
  const rowsOf = async ({ id }: Job): Promise<string> =>
    (await jobs.query<{ row: string }>(READ_ROWS, id)).map(({ row }) => row).join('\n');
  const leftOf = (job: Job): unknown => ({
    ...job,
    input: {
      prompt: '',
      model: 'general-image',
      size: '128x100',
      n: 1,
      seed: 7,
      steps: 25,
      guidance: 5,
      output_format: 'png',
      loras: [{ id: 'ink-wash', strength: 1 }],
    },
    output: { images: imagesOf(job).map((image) => ({ ...image, url: null })) },
    metadata: null,
  });

  it('leaves the books of a job, and neither its files nor any text of its client', async () => {
    const done = await run(HOOK);
    expect(await rowsOf(done)).toContain('CLIENT-TEXT');
    const answer = await deleteContent(done.id);
    expect(answer).toEqual(leftOf(done));
    expect(await jobs.get(done.id)).toEqual(answer);
    expect(await rowsOf(done)).not.toContain('CLIENT-TEXT');
    expect(await jobs.filesOf(done.id)).toEqual([]);
  });

  it('gives the dispatcher what is left before the address is deleted, and once', async () => {
    const done = await run(HOOK);
    await deleteContent(done.id);
    await deleteContent(done.id);
    expect(jobs.fakes.deletedContents).toEqual([
      {
        event_id: `evt_${done.id.replaceAll('-', '')}`,
        account_id: jobs.accountId,
        webhook_url: HOOK,
        job: leftOf(done),
      },
    ]);
  });

  it('answers capacity while the dispatcher is down, and is completed by a repeat', async () => {
    const done = await run(HOOK);
    jobs.fakes.dispatcherDown = true;
    await expect(deleteContent(done.id)).rejects.toMatchObject({ code: 'capacity' });
    expect(await jobs.get(done.id)).toMatchObject({ input: { prompt: '' }, metadata: null });
    const { finished } = await jobs.bus.request(jobsRpc.listFinished, { after: null, limit: 16 });
    expect(finished.find(({ job }) => job.id === done.id)?.job).toEqual(leftOf(done));
    jobs.fakes.dispatcherDown = false;
    expect(await deleteContent(done.id)).toEqual(leftOf(done));
    expect(await rowsOf(done)).not.toContain('CLIENT-TEXT');
  });

  it('answers capacity while the store fails, and is completed by a repeat', async () => {
    const done = await run();
    const repair = await jobs.breakOutputsOf(done.id);
    await expect(deleteContent(done.id)).rejects.toMatchObject({ code: 'capacity' });
    expect(await rowsOf(done)).not.toContain('CLIENT-TEXT');
    await repair();
    await deleteContent(done.id);
    expect(await jobs.filesOf(done.id)).toEqual([]);
  });

  it('is completed by the sweeps if it failed and is never repeated', async () => {
    const done = await run(HOOK);
    const finish = (): Promise<unknown> => jobs.service.get(DeleteContent).finishFailed();
    jobs.fakes.dispatcherDown = true;
    await expect(deleteContent(done.id)).rejects.toMatchObject({ code: 'capacity' });
    await jobs.execute(MAKE_SWEEPS_DUE, done.id);
    await finish();
    expect(await rowsOf(done)).toContain(HOOK);
    jobs.fakes.dispatcherDown = false;
    await jobs.execute(MAKE_SWEEPS_DUE, done.id);
    await finish();
    await jobs.service.get(DeleteOutputs).deleteExpired();
    // The loops of the service may have claimed the job first.
    await waitFor(async () => !(await rowsOf(done)).includes('CLIENT-TEXT'));
    expect(jobs.fakes.deletedContents).toMatchObject([{ webhook_url: HOOK, job: leftOf(done) }]);
    await waitFor(async () => (await jobs.filesOf(done.id)).length === 0);
  });

  it('makes a video unfound for those who ask for its content only', async () => {
    const done = await run();
    const get = (): Promise<Job> =>
      jobs.bus.request(jobsRpc.get, { account_id: jobs.accountId, job_id: done.id, unless_content_deleted: true });
    expect(await get()).toMatchObject({ id: done.id, input: { negative_prompt: 'no CLIENT-TEXT' } });
    await deleteContent(done.id);
    await expect(get()).rejects.toMatchObject({ code: 'not_found' });
    expect(await jobs.get(done.id)).toMatchObject({ id: done.id, status: 'succeeded' });
  });

  it('is refused for a job in flight, whose content stays', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create({ prompt: 'still needed' });
    await expect(deleteContent(job.id)).rejects.toMatchObject({ code: 'job_in_flight', status: 400 });
    expect((await jobs.get(job.id)).input.prompt).toBe('still needed');
    await jobs.cancel(job.id);
    expect((await deleteContent(job.id)).input.prompt).toBe('');
  });

  it('beside the deletion of outputs leaves both done', async () => {
    const done = await run(HOOK);
    const deleteOutputs = jobs.bus.request(jobsRpc.deleteOutputs, { account_id: jobs.accountId, job_id: done.id });
    await Promise.all([deleteContent(done.id), deleteOutputs, deleteContent(done.id)]);
    expect(await jobs.get(done.id)).toEqual(leftOf(done));
    expect(await rowsOf(done)).not.toContain('CLIENT-TEXT');
  });
});
