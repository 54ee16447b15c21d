import { IMAGE } from '@kinora/compute/fixtures';
import { TestS3, imagesOf, waitFor } from '@kinora/testing';
import { loadConfig } from '@kinora/service-kit';
import { ObjectStoreConfig } from '@kinora/object-store';
import type { Job } from '@kinora/contracts/jobs/job';
import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { JobsServiceFixture, useJobs } from './jobs-service.fixtures';
import { DeleteOutputs } from '../src/deletion/use-cases/delete-outputs.use-case';
import { DeleteOrphans } from '../src/deletion/use-cases/delete-orphans.use-case';

/** Locks the row of the job, so that the job cannot end during the transaction. */
const HOLD_JOB = statement('test_hold_job', 'SELECT FROM job WHERE id = $1 FOR UPDATE');

const MAKE_SWEEP_DUE = `UPDATE orphan_sweep SET begun_at = '-infinity', folder = NULL`;

const png = { mime: 'image/png' };

describe('the files of jobs', () => {
  const jobs = useJobs();

  beforeEach(() => {
    jobs.worker.stateOnSubmit = 'succeeded';
    jobs.fakes.outputVerdict = 'passed';
  });

  /** Stores an output as a worker does that dies before the job ends. */
  const leaveOutput = async (jobId: string, claim = '1-1'): Promise<string> => {
    const key = `outputs/${jobId}/${jobId}-${claim}-0.png`;
    await jobs.objects.put(key, IMAGE, png);
    return key;
  };
  const put = async (key: string): Promise<string> => {
    await jobs.objects.put(key, IMAGE, png);
    return key;
  };
  const sweepStore = async (): Promise<void> => {
    await jobs.execute(MAKE_SWEEP_DUE);
    while ((await jobs.service.get(DeleteOrphans).execute()).more);
  };
  /** Holds the next screening until the returned function is called. */
  const holdScreening = (): (() => void) => {
    let judge: () => void = () => undefined;
    jobs.fakes.outputGate = new Promise((resolve) => (judge = resolve));
    return () => judge();
  };
  const keyOf = (job: Job): string => /files\/(.+)\?/.exec(imagesOf(job)[0]?.url ?? '')?.[1] ?? '';
  const exists = async (key: string): Promise<boolean> => (await jobs.objects.stat(key)) !== null;

  it('are deleted after a block, also those of a worker that has died', async () => {
    jobs.worker.stateOnSubmit = 'running';
    jobs.fakes.outputVerdict = 'blocked';
    const { job } = await jobs.create();
    const left = await leaveOutput(job.id, '1-77');
    await waitFor(() => jobs.worker.tasks.has(`${job.id}-1`));
    jobs.worker.finishAll();

    const message =
      /^The generated output failed the content policy \(sexual content, decision [0-9a-f-]{36}\)\. It was/;
    expect(await jobs.whenEnded(job.id)).toMatchObject({
      error: { code: 'content_blocked_output', message: expect.stringMatching(message) as string },
    });
    await waitFor(async () => !(await exists(left)));
    await waitFor(async () => (await jobs.filesOf(job.id)).length === 0);
  });

  it('are deleted at a block before the job ends, so that no crash leaves them', async () => {
    jobs.worker.stateOnSubmit = 'running';
    jobs.fakes.outputVerdict = 'blocked';
    const { job } = await jobs.create();
    await waitFor(() => jobs.worker.tasks.has(`${job.id}-1`));
    const isStored = async () => (await jobs.storedFiles()).some((name) => name.includes(job.id));
    const judge = holdScreening();
    jobs.worker.finishAll();
    await waitFor(isStored);

    await jobs.database.database.transaction(async (transaction) => {
      await transaction.query(HOLD_JOB, [job.id]);
      judge();
      await waitFor(async () => !(await isStored()));
    });

    expect(await jobs.whenEnded(job.id)).toMatchObject({ error: { code: 'content_blocked_output' } });
  });

  it('do not lead to a success while the gate has passed other content', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    await waitFor(() => jobs.worker.tasks.has(`${job.id}-1`));
    jobs.fakes.mistakesContent = true;
    jobs.worker.finishAll();
    const refusals = () => jobs.service.log.of('outputs_not_collected').filter(({ job_id }) => job_id === job.id);
    await waitFor(() => refusals().length > 0);

    expect(refusals()[0]).toMatchObject({ reason: expect.stringContaining('job_is_of_what_passed') });
    expect(await jobs.get(job.id)).toMatchObject({ output: null, moderation: { status: 'pending' } });
    jobs.fakes.mistakesContent = false;
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
  });

  it('fail their job with invalid_output when an image does not decode', async () => {
    jobs.fakes.outputVerdict = 'unreadable';
    const job = await jobs.run();
    expect(job).toMatchObject({ status: 'failed', error: { code: 'invalid_output' }, output: null });
    await waitFor(async () => (await jobs.filesOf(job.id)).length === 0);
  });

  it('are collected again when it was the store that has damaged them', async () => {
    jobs.worker.stateOnSubmit = 'running';
    jobs.fakes.outputVerdict = 'unreadable';
    const { job } = await jobs.create();
    await waitFor(() => jobs.worker.tasks.has(`${job.id}-1`));
    const judge = holdScreening();
    const screened = jobs.fakes.screenedOutputs.length;
    jobs.worker.finishAll();
    await waitFor(() => jobs.fakes.screenedOutputs.length > screened);
    await jobs.objects.put(jobs.fakes.screenedOutputs[screened] ?? '', IMAGE.subarray(0, 30), png);
    const judgeAgain = holdScreening();
    judge();
    const problems = () => jobs.service.log.of('outputs_not_collected').filter(({ job_id }) => job_id === job.id);
    await waitFor(() => problems().length > 0);
    jobs.fakes.outputVerdict = 'passed';
    judgeAgain();

    expect(problems()).toMatchObject([{ code: 'storage_error', final: false }]);
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
  });

  it('are deleted after a cancel', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    const left = await leaveOutput(job.id);
    await jobs.cancel(job.id);

    await waitFor(async () => !(await exists(left)));
  });

  it('are deleted by the orphan sweep if and only if no job has them', async () => {
    const done = await jobs.run();
    const kept = keyOf(done);
    const animated = new Set(await jobs.storedFiles());
    jobs.worker.stateOnSubmit = 'running';
    const inFlight = await jobs.animate();
    const frame = (await jobs.storedFiles()).find((name) => !animated.has(name)) ?? '';
    const known = [kept, `inputs/${frame}`, await leaveOutput(inFlight.id)];
    const orphans = [
      await leaveOutput(done.id, '1-88'),
      await leaveOutput(uuidv7()),
      await put(`inputs/${uuidv7()}.png`),
      await put('outputs/of-nobody.png'),
    ];
    const young = await put(`inputs/${uuidv7()}.png`);
    const unfinished = await jobs.leaveUnfinished('half');
    for (const key of [...known, ...orphans, unfinished]) await jobs.makeOld(key);
    await sweepStore();

    expect(await Promise.all([...known, young].map(exists))).toEqual([true, true, true, true]);
    expect(await Promise.all(orphans.map(exists))).toEqual(orphans.map(() => false));
    expect(await jobs.storedFiles()).not.toContain('half');
    await jobs.cancel(inFlight.id);
  });

  it('are deleted by the orphan sweep if they exist after their expiry', async () => {
    const done = await jobs.run();
    await jobs.letRetentionPass();
    await waitFor(async () => !(await jobs.service.get(DeleteOutputs).deleteExpired()).more);
    const left = await put(keyOf(done));
    await jobs.makeOld(left);
    await sweepStore();

    expect(await exists(left)).toBe(false);
  });
});

describe('the files of jobs in S3', () => {
  let s3: TestS3;
  let jobs: JobsServiceFixture;

  beforeAll(async () => {
    s3 = await TestS3.start();
    jobs = await JobsServiceFixture.start('api,runner', loadConfig(ObjectStoreConfig, s3.settings));
  });
  afterAll(async () => {
    await jobs.close();
    await s3.close();
  });

  it('can be downloaded from there until they expire, and are deleted then', async () => {
    const { job } = await jobs.create();
    const done = await jobs.whenEnded(job.id);
    const [image] = imagesOf(done);
    const link = image?.url ?? '';
    expect(link.startsWith(`${s3.endpoint}/kinora/outputs/${job.id}/`)).toBe(true);
    expect((await (await fetch(link)).arrayBuffer()).byteLength).toBe(image?.bytes);

    await jobs.letRetentionPass();
    await waitFor(async () => !(await jobs.service.get(DeleteOutputs).deleteExpired()).more);
    await waitFor(async () => (await fetch(link)).status === 404);
    expect(imagesOf(await jobs.get(job.id))).toEqual([{ ...image, url: null }]);
  });
});
