import { statement } from '@kinora/database';
import { imagesOf, waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { useJobs } from './jobs-service.fixtures';
import { GPU_MS } from './worker.fixtures';
import { DispatchJobs } from '../src/dispatch/use-cases/dispatch-jobs.use-case';

const MAKE_OVERDUE = 'UPDATE job SET deadline_at = clock_timestamp() WHERE id = $1';
const NEARLY_OVERDUE = `UPDATE job SET deadline_at = clock_timestamp() + interval '40 seconds' WHERE id = $1`;
const SECONDS_LEFT =
  'SELECT extract(epoch FROM deadline_at - clock_timestamp())::float AS seconds FROM job WHERE id = $1';
const AGE = `UPDATE attempt SET created_at = created_at - interval '40 days' WHERE job_id = $1`;
const EXPIRE_LEASE = 'UPDATE attempt SET next_check_at = clock_timestamp() WHERE job_id = $1';
const TAKE_OVER = 'UPDATE attempt SET fence = fence + 1 WHERE job_id = $1';
const OUTCOMES = 'SELECT outcome FROM attempt WHERE job_id = $1 ORDER BY number';
/** A job that no instance can run, in a queue of its own. */
const BREAK_MODEL_QUEUE = statement(
  'spec_break_lane',
  `INSERT INTO job (id, account_id, model, price_micros, kind, input, images, provider, plan, input_decision_id, retention_days, deadline_at)
   VALUES ($1, $1, 'broken', 0, 'image.generation', '{}', '[]', 'sandbox', '{}', $1, 7, clock_timestamp() + interval '1 hour')`,
);
const RESTORE_MODEL_QUEUE = statement('spec_mend_lane', `DELETE FROM job WHERE model = 'broken'`);
const REWRITE = `UPDATE job SET status = 'canceled', output = NULL WHERE id = $1`;

describe('running a job', () => {
  const jobs = useJobs();

  beforeEach(() => {
    Object.assign(jobs.worker, { stateOnSubmit: 'succeeded', refuses: false, losesAnswers: false, forgetsNext: 0 });
    Object.assign(jobs.fakes, { outputVerdict: 'passed', billingDown: false });
  });

  /** The settlement follows the end of a job at once, in a second step. */
  const settled = (jobId: string, state: 'captured' | 'refunded') => waitFor(() => jobs.holdState(jobId) === state);

  it('ends in a success that is screened, stored, signed and charged', async () => {
    const { job } = await jobs.create({ prompt: 'quote " pipe | emoji 🌊', n: 2 });
    const done = await jobs.whenEnded(job.id);
    expect(done).toMatchObject({ status: 'succeeded', moderation: { status: 'passed' }, error: null });
    expect(imagesOf(done)).toMatchObject([
      { mime: 'image/png', width: 128, height: 100, seed: job.input.seed },
      { mime: 'image/png', width: 128, height: 100, seed: (job.input.seed + 1) % 2_147_483_648 },
    ]);
    expect(imagesOf(done)[0]?.url).toMatch(/^http:\/\/kinora\.test\/files\/outputs\//);
    expect(new Date(done.expires_at ?? 0).getTime() - new Date(done.completed_at ?? 0).getTime()).toBe(7 * 86_400_000);
    await settled(job.id, 'captured');
    const sent = jobs.worker.submitted.find(({ id }) => id.startsWith(job.id))?.body;
    expect(sent?.['prompt']).toBe('quote " pipe | emoji 🌊');
    expect(sent?.['negative_prompt']).toContain('underage');
    expect(JSON.stringify(done.input)).not.toContain('underage');
  });

  it('stays queued until the worker begins, and never becomes queued again', async () => {
    jobs.worker.stateOnSubmit = 'queued';
    const { job } = await jobs.create();
    await waitFor(() => jobs.worker.tasks.size > 0 && jobs.worker.submitted.some(({ id }) => id.startsWith(job.id)));
    expect((await jobs.get(job.id)).status).toBe('queued');
    for (const task of jobs.worker.tasks.values()) task.state = 'running';
    const begun = await waitFor(async () => {
      const seen = await jobs.get(job.id);
      return seen.status === 'processing' ? seen : null;
    });
    expect(begun.started_at).not.toBeNull();
    jobs.worker.finishAll();
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded', started_at: begun.started_at });
  });

  it('serves the other queues if one cannot be served', async () => {
    const { database } = jobs.database;
    await database.execute(BREAK_MODEL_QUEUE, [uuidv7()]);
    try {
      await expect(jobs.service.get(DispatchJobs).execute(() => undefined)).resolves.toBeDefined();
      const { job } = await jobs.create();
      expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
    } finally {
      await database.execute(RESTORE_MODEL_QUEUE);
    }
  });

  it('submits a lost job once more, and refunds it when it is lost again', async () => {
    jobs.worker.forgetsNext = 1;
    const { job: lostOnce } = await jobs.create();
    expect(await jobs.whenEnded(lostOnce.id)).toMatchObject({ status: 'succeeded' });
    jobs.worker.forgetsNext = 2;
    const { job: lostTwice } = await jobs.create();
    expect(await jobs.whenEnded(lostTwice.id)).toMatchObject({
      status: 'failed',
      error: { code: 'provider_error' },
      usage: { charged_micros: 0 },
      moderation: { status: 'passed' },
      output: null,
      expires_at: null,
    });
    await settled(lostTwice.id, 'refunded');
  });

  it('polls a submission whose answer was lost, and does not send it twice', async () => {
    jobs.worker.losesAnswers = true;
    const { job } = await jobs.create();
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
    expect(jobs.worker.submitted.filter(({ id }) => id.startsWith(job.id))).toHaveLength(1);
  });

  it('continues a job that has waited for longer than a month, as after a long shutdown', async () => {
    jobs.worker.stateOnSubmit = 'queued';
    const { job } = await jobs.create();
    await waitFor(() => jobs.worker.submitted.some(({ id }) => id.startsWith(job.id)));
    await jobs.execute(AGE, job.id);
    jobs.worker.finishAll();
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
  });

  it('submits a job again after an expired lease, counts no loss, and cancels the late task', async () => {
    let release: () => void = () => undefined;
    jobs.worker.heldUp = new Promise((resolve) => (release = resolve));
    const { job } = await jobs.create();
    await waitFor(() => jobs.worker.arrived.includes(`${job.id}-1`));
    await jobs.execute(EXPIRE_LEASE, job.id);
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
    release();
    await waitFor(() => jobs.worker.canceled.includes(`${job.id}-1`));
    expect(await jobs.query(OUTCOMES, job.id)).toEqual([{ outcome: 'interrupted' }, { outcome: 'succeeded' }]);
  });

  it('cancels a late task whose submission was given up before its attempt ended', async () => {
    let release: () => void = () => undefined;
    jobs.worker.heldUp = new Promise((resolve) => (release = resolve));
    const { job } = await jobs.create();
    await waitFor(() => jobs.worker.arrived.includes(`${job.id}-1`));
    await jobs.execute(TAKE_OVER, job.id);
    await waitFor(() => jobs.worker.abandoned.includes(`${job.id}-1`));
    await jobs.execute(EXPIRE_LEASE, job.id);
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
    release();
    await waitFor(() => jobs.worker.canceled.includes(`${job.id}-1`));
  });

  it('ends a job once, and keeps one set of files, when its collector was paused for longer than its lease', async () => {
    let release: () => void = () => undefined;
    jobs.fakes.outputGate = new Promise((resolve) => (release = resolve));
    const { job } = await jobs.create();
    await waitFor(() => jobs.fakes.screenedOutputs.some((key) => key.includes(job.id)));
    await jobs.execute(EXPIRE_LEASE, job.id);
    const done = await jobs.whenEnded(job.id);
    expect(done).toMatchObject({ status: 'succeeded' });
    release();
    await waitFor(async () => (await jobs.filesOf(job.id)).length === 1);
    expect(await jobs.get(job.id)).toEqual({ ...done, output: expect.anything() as unknown });
    await settled(job.id, 'captured');
  });

  it('waits while the worker refuses, and fails with capacity at its deadline', async () => {
    jobs.worker.refuses = true;
    const { job } = await jobs.create();
    await jobs.execute(MAKE_OVERDUE, job.id);
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'failed', error: { code: 'capacity' } });
    await settled(job.id, 'refunded');
  });

  it('fails with a timeout when the worker does not finish, and cancels the task', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    await jobs.whenProcessing(job.id);
    await jobs.execute(MAKE_OVERDUE, job.id);
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'failed', error: { code: 'provider_timeout' } });
    await waitFor(() => jobs.worker.canceled.some((id) => id.startsWith(job.id)));
  });

  it('fails, refunds and keeps no file when the output is blocked', async () => {
    jobs.fakes.outputVerdict = 'blocked';
    const { job } = await jobs.create();
    expect(await jobs.whenEnded(job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'content_blocked_output' },
      moderation: { status: 'blocked' },
      usage: { charged_micros: 0 },
    });
    await settled(job.id, 'refunded');
    await waitFor(async () => (await jobs.filesOf(job.id)).length === 0);
  });

  it('does not succeed while the gate cannot answer, and does once it can', async () => {
    jobs.fakes.outputVerdict = 'unavailable';
    const { job } = await jobs.create();
    await waitFor(() => jobs.service.log.of('outputs_not_collected').some(({ job_id: jobId }) => jobId === job.id));
    expect((await jobs.get(job.id)).output).toBeNull();
    jobs.fakes.outputVerdict = 'passed';
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
  });

  it('gives outputs that are made just in time one more minute for their collection, once', async () => {
    Object.assign(jobs.fakes, { outputVerdict: 'unavailable' });
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    const tries = () => jobs.service.log.of('outputs_not_collected').filter(({ job_id: jobId }) => jobId === job.id);
    const secondsLeft = async () => (await jobs.query<{ seconds: number }>(SECONDS_LEFT, job.id))[0]?.seconds ?? 0;
    await jobs.whenProcessing(job.id);
    await jobs.execute(NEARLY_OVERDUE, job.id);
    jobs.worker.finishAll();
    await waitFor(() => tries().length > 0);
    expect(await secondsLeft()).toBeGreaterThan(40);
    await jobs.execute(NEARLY_OVERDUE, job.id);
    const before = tries().length;
    await waitFor(() => tries().length > before + 1);
    expect(await secondsLeft()).toBeLessThan(40);
    jobs.fakes.outputVerdict = 'passed';
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
  });

  it('fails with invalid_output for bytes that are not an image, and reports their GPU time', async () => {
    const image = jobs.worker.output;
    jobs.worker.output = Buffer.from('no picture');
    expect(await jobs.run()).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_output' },
      usage: { charged_micros: 0, gpu_ms: GPU_MS },
    });
    jobs.worker.output = image;
  });

  it('refunds the hold before a cancel answers, and returns a finished job unchanged', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    const canceled = await jobs.cancel(job.id);
    expect(canceled).toMatchObject({ status: 'canceled', usage: { charged_micros: 0 } });
    await settled(job.id, 'refunded');
    expect(jobs.fakes.endedHolds.filter((id) => id === job.id)).toEqual([job.id]);
    expect(await jobs.cancel(job.id)).toEqual(canceled);
  });

  it('fails a cancel while billing is down, and completes it when it is repeated', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    jobs.fakes.billingDown = true;
    await expect(jobs.cancel(job.id)).rejects.toMatchObject({ code: 'capacity' });
    jobs.fakes.billingDown = false;
    expect(await jobs.cancel(job.id)).toMatchObject({ status: 'canceled' });
    await settled(job.id, 'refunded');
  });

  it('settles a job by its sweep after billing was down at the end', async () => {
    jobs.fakes.billingDown = true;
    const { job } = await jobs.create();
    await jobs.whenEnded(job.id);
    expect(jobs.holdState(job.id)).toBe('held');
    jobs.fakes.billingDown = false;
    await settled(job.id, 'captured');
  });

  it('ends in exactly one way when cancel and completion race', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const created = await Promise.all(Array.from({ length: 40 }, () => jobs.create()));
    await waitFor(() => jobs.worker.tasks.size >= 40);
    jobs.worker.finishAll();
    const canceled = await Promise.all(created.map(({ job }) => jobs.cancel(job.id)));
    for (const job of canceled) {
      const last = await jobs.whenEnded(job.id);
      expect(last).toEqual({ ...job, output: last.output });
      await settled(job.id, job.status === 'succeeded' ? 'captured' : 'refunded');
    }
  });

  it('refuses every update of an ended job', async () => {
    const { job } = await jobs.create();
    await jobs.whenEnded(job.id);
    await expect(jobs.execute(REWRITE, job.id)).rejects.toThrow('cannot change');
  });
});
