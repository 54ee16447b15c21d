import type { CallbackRequest } from '@kinora/compute';
import { FakeReplicate, type HostedTask, TemplatesFolder, WEBHOOK_SECRET } from '@kinora/compute/fixtures';
import { waitFor } from '@kinora/testing';
import { CallbackSigner } from '@kinora/webhooks';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { JobsServiceFixture } from './jobs-service.fixtures';

const URL_SIGNING_KEY = 'a-signing-key-for-specs-of-32-characters';
const STOP_POLLING = `UPDATE attempt SET next_check_at = clock_timestamp() + interval '1 hour' WHERE job_id = $1`;
const ENDED = 'SELECT FROM job WHERE id = $1 AND completed_at IS NOT NULL';
const STATES = 'SELECT state, upstream_ref FROM attempt WHERE job_id = $1';

describe('a callback of a backend', () => {
  const replicate = new FakeReplicate();
  let folder: TemplatesFolder;
  let jobs: JobsServiceFixture;

  beforeAll(async () => {
    folder = await TemplatesFolder.create('templates/replicate', 'someone/something');
    const url = await replicate.start();
    const instance = `{ id: hosted, type: replicate, url: '${url}', headers: {}, concurrency: 9, webhook_secret: ${WEBHOOK_SECRET} }`;
    await folder.write('providers.yaml', `providers:\n  - ${instance}\n`);
    jobs = await JobsServiceFixture.start('api,runner', {}, [], {
      configDir: folder.path,
      callbackUrl: 'http://gateway.test/',
    });
    jobs.fakes.model = { routes: [{ provider: 'hosted', template: 'image', weight: 1 }] };
  });

  afterAll(async () => {
    await jobs.close();
    await replicate.stop();
    await folder.remove();
  });

  beforeEach(() => {
    Object.assign(replicate, { sendsWebhooks: true, beforeAnswer: null });
    replicate.heal();
  });

  const taken = (jobId: string): Promise<HostedTask> =>
    waitFor(() => [...replicate.tasks.values()].find(({ body }) => String(body['webhook']).includes(jobId)));

  /** Forwards a callback as the gateway does, with the address that the backend has received. */
  function call({ body }: HostedTask, { headers, body: bytes }: CallbackRequest): Promise<unknown> {
    const [, provider = '', token = ''] =
      /^http:\/\/gateway\.test\/callbacks\/(\w+)\/(.+)$/.exec(String(body['webhook'])) ?? [];
    const target = new CallbackSigner(URL_SIGNING_KEY).read(provider, token);
    if (!target) throw new Error(`${String(body['webhook'])} is not a callback address`);
    return jobs.bus.request(jobsRpc.receiveCallback, {
      provider,
      job_id: target.jobId,
      attempt_number: target.attemptNumber,
      headers,
      body_base64: bytes.toString('base64'),
    });
  }

  const sendWebhook = (task: HostedTask): Promise<unknown> =>
    call(task, replicate.callback(replicate.toPrediction(task)));

  async function createdAndStopped(): Promise<{ jobId: string; task: HostedTask }> {
    const { job } = await jobs.create();
    const task = await taken(job.id);
    await waitFor(async () => {
      const [attempt] = await jobs.query<{ state: string }>(STATES, job.id);
      return attempt?.state === 'accepted';
    });
    await jobs.execute(STOP_POLLING, job.id);
    return { jobId: job.id, task };
  }

  it('triggers a poll at once, however far away the next poll is', async () => {
    const { jobId, task } = await createdAndStopped();
    replicate.finish();
    await sendWebhook(task);
    // Read from the table, because a read of the job over the bus polls the provider as well.
    await waitFor(() => jobs.query(ENDED, jobId).then(({ length }) => length > 0));
    expect(await jobs.get(jobId)).toMatchObject({ status: 'succeeded', usage: { gpu_ms: 1_250 } });
  });

  it('is not trusted: a callback with a false end of the task changes nothing', async () => {
    const { jobId, task } = await createdAndStopped();
    await call(task, replicate.callback({ ...replicate.toPrediction(task), status: 'failed', error: 'NSFW' }));
    expect((await jobs.get(jobId)).status).toBe('queued');
    replicate.finish();
    await sendWebhook(task);
    expect(await jobs.whenEnded(jobId)).toMatchObject({ status: 'succeeded' });
  });

  it('gives the id of a task whose answer was lost, and which could not be found otherwise', async () => {
    replicate.sendsWebhooks = false;
    replicate.inject({ kind: 'lose_answers' });
    const { job } = await jobs.create();
    const task = await taken(job.id);
    await waitFor(async () => {
      const [attempt] = await jobs.query<{ state: string }>(STATES, job.id);
      return attempt?.state === 'unknown';
    });
    replicate.finish();
    await sendWebhook(task);
    expect(await jobs.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
    expect([...replicate.tasks.values()].filter(({ body }) => String(body['webhook']).includes(job.id))).toHaveLength(
      1,
    );
  });

  it('may arrive before the answer to the submission', async () => {
    replicate.beforeAnswer = (task) => {
      replicate.finish();
      return sendWebhook(task);
    };
    expect(await jobs.run()).toMatchObject({ status: 'succeeded' });
  });

  it('may arrive in many copies, out of order and after the end, and ends a job once', async () => {
    const { jobId, task } = await createdAndStopped();
    const early = replicate.callback(replicate.toPrediction(task));
    replicate.finish();
    await Promise.all([sendWebhook(task), call(task, early), sendWebhook(task), call(task, early)]);
    const job = await jobs.whenEnded(jobId);
    await jobs.whenHold(jobId, 'captured');
    await sendWebhook(task);
    await call(task, early);
    expect((await jobs.get(jobId)).completed_at).toBe(job.completed_at);
  });

  it('gets not_found when its signature is missing, wrong or old', async () => {
    const { jobId, task } = await createdAndStopped();
    const genuine = replicate.callback(replicate.toPrediction(task));
    const forged = [
      { ...genuine, headers: {} },
      { ...genuine, body: Buffer.from('{}') },
      replicate.callback(replicate.toPrediction(task), [WEBHOOK_SECRET], Date.now() - 600_000),
    ];
    for (const each of forged) await expect(call(task, each)).rejects.toMatchObject({ code: 'not_found' });
    replicate.finish();
    await sendWebhook(task);
    expect(await jobs.whenEnded(jobId)).toMatchObject({ status: 'succeeded' });
  });
});
