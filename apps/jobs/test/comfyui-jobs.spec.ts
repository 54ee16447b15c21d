import { FakeComfyui } from '@kinora/compute/fixtures';
import { statement } from '@kinora/database';
import { imagesOf, waitFor } from '@kinora/testing';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { JobsServiceFixture } from './jobs-service.fixtures';

/** Prevents polls by the runner and by reads of the job. */
const STOP_POLLING = `UPDATE attempt SET next_check_at = clock_timestamp() + interval '1 hour', checked_at = clock_timestamp() + interval '1 hour'
    WHERE job_id = $1`;

/** Postpones the next poll by the longest time between two polls. */
const POLL_LATE = statement(
  'spec_poll_late',
  `UPDATE attempt SET next_check_at = clock_timestamp() + interval '4 seconds' WHERE job_id = $1 AND state = 'running'`,
);

const LOCK_ATTEMPT = statement('spec_lock_attempt', `SELECT 1 FROM attempt WHERE job_id = $1 FOR UPDATE`);

describe('jobs on a ComfyUI server', () => {
  const comfyui = new FakeComfyui({ missingModels: ['sd_xl_base_1.0.safetensors'] });
  let jobs: JobsServiceFixture;

  beforeAll(async () => {
    const instance = { id: 'gpu-a', type: 'comfyui', url: await comfyui.start(), concurrency: 4 };
    jobs = await JobsServiceFixture.start('api,runner', {}, [instance]);
    const route = { provider: 'gpu-a', template: 'cpu-text-to-image-standin', weight: 1 };
    jobs.fakes.model = { routes: [route] };
  });

  afterAll(async () => {
    await jobs.close();
    await comfyui.stop();
  });

  /** A job that the server has accepted and not begun. */
  async function submitted(n = 1): Promise<string> {
    const { job } = await jobs.create({ n });
    await waitFor(() => comfyui.prompts.pending.items.length > 0);
    return job.id;
  }

  it('end with the images of the graph, without the graph that the server writes into their metadata', async () => {
    const jobId = await submitted(2);
    comfyui.begin();
    await jobs.whenProcessing(jobId);
    comfyui.finish();
    const done = await jobs.whenEnded(jobId);
    expect(imagesOf(done)).toMatchObject([
      { mime: 'image/png', width: 128, height: 100 },
      { mime: 'image/png', width: 128, height: 100 },
    ]);
    const url = new URL(imagesOf(done)[0]?.url ?? '');
    const bytes = await jobs.objects.get(url.pathname.replace('/files/', ''));
    expect(bytes.includes('class_type')).toBe(false);
    await jobs.whenHold(jobId, 'captured');
    await waitFor(() => comfyui.prompts.history.size === 0);
  });

  it('run again, and are charged once, when the server crashes and restarts', async () => {
    const jobId = await submitted();
    comfyui.begin();
    await jobs.whenProcessing(jobId);
    await comfyui.stop();
    comfyui.restart();
    await comfyui.start();
    await waitFor(() => comfyui.prompts.pending.items.length > 0);
    comfyui.finish();
    expect(await jobs.whenEnded(jobId)).toMatchObject({ status: 'succeeded' });
    await jobs.whenHold(jobId, 'captured');
  });

  it('that had begun before a crash of the server go before those that had not', async () => {
    const seen = comfyui.received.length;
    const create = async (prompt: string): Promise<string> => (await jobs.create({ prompt })).job.id;
    const ids = [await create('begun')];
    await waitFor(() => comfyui.prompts.pending.items.length === 1);
    comfyui.begin();
    await jobs.whenProcessing(ids[0] ?? '');
    ids.push(await create('sent'));
    await waitFor(() => comfyui.prompts.pending.items.length === 1);
    ids.push(await create('waiting'));
    await comfyui.stop();
    comfyui.restart();
    // The tasks that had not begun are due first.
    await jobs.database.database.execute(POLL_LATE, [ids[0]]);
    await comfyui.start();
    await waitFor(() => {
      comfyui.finish();
      return comfyui.received.length === seen + 5;
    });
    comfyui.finish();
    for (const id of ids) expect(await jobs.whenEnded(id)).toMatchObject({ status: 'succeeded' });
    expect(comfyui.received.slice(seen, seen + 3).map(({ prompt }) => prompt)).toEqual(['begun', 'sent', 'begun']);
  });

  it('that had begun before a crash of the server go before those that are created while it is down', async () => {
    const seen = comfyui.received.length;
    const first = (await jobs.create({ prompt: 'begun' })).job.id;
    await waitFor(() => comfyui.prompts.pending.items.length === 1);
    comfyui.begin();
    await jobs.whenProcessing(first);
    await comfyui.stop();
    comfyui.restart();
    const downs = jobs.service.log.of('provider_unavailable').length;
    await waitFor(() => jobs.service.log.of('provider_unavailable').length > downs);
    const second = (await jobs.create({ prompt: 'new' })).job.id;
    const ups = jobs.service.log.of('provider_available').length;
    // No poll of the interrupted job is sent before the server is known to be back.
    await jobs.database.database.transaction(async (transaction) => {
      await transaction.execute(LOCK_ATTEMPT, [first]);
      await comfyui.start();
      await waitFor(() => jobs.service.log.of('provider_available').length > ups);
    });
    await waitFor(() => comfyui.received.length === seen + 3);
    comfyui.finish();
    for (const id of [first, second]) expect(await jobs.whenEnded(id)).toMatchObject({ status: 'succeeded' });
    expect(comfyui.received.slice(seen).map(({ prompt }) => prompt)).toEqual(['begun', 'begun', 'new']);
  });

  it('are removed from the queue of the server when they are canceled', async () => {
    const jobId = await submitted();
    await jobs.cancel(jobId);
    await waitFor(() => comfyui.workingCount === 0);
    expect((await jobs.get(jobId)).status).toBe('canceled');
  });

  it('are stopped at the server when they are canceled while running, and their GPU time is counted for the account', async () => {
    const jobId = await submitted();
    comfyui.begin();
    await jobs.whenProcessing(jobId);
    await jobs.cancel(jobId);
    const { attempts, canceled_work } = await waitFor(async () => {
      const shown = await jobs.bus.request(jobsRpc.show, { job_id: jobId });
      return shown.attempts[0]?.cancel_outcome === 'stopped' && shown;
    });
    expect(attempts[0]?.gpu_ms).toBeGreaterThan(0);
    expect(canceled_work.gpu_ms).toBe(attempts[0]?.gpu_ms);
    await waitFor(() => comfyui.prompts.history.size === 0);
  });

  it('are of a model that doctor shows as broken if a file of its template is missing, or no LoRA by URL can run', async () => {
    const model = { id: 'poster', object: 'model', type: 'image', label: 'Poster', description: null } as const;
    const capabilities = { t2i: true, sizes: ['512x512'], loras: 'url' as const };
    jobs.fakes.listedModels = [
      {
        model: { ...model, capabilities, price: null, license: null },
        enabled: true,
        routes: [{ provider: 'gpu-a', template: 'sdxl-text-to-image', weight: 1, order: 0 }],
      },
    ];
    jobs.fakes.model = { ...jobs.fakes.model, capabilities };
    const { models } = await jobs.bus.request(jobsRpc.examineProviders, {});
    expect(models).toEqual([
      {
        id: 'poster',
        providers: ['gpu-a'],
        problems: [
          'gpu-a cannot run image.generation with a LoRA by URL: Its workflow runs on a server that has no file of a LoRA.',
          'gpu-a cannot run sdxl-text-to-image: It has no file sd_xl_base_1.0.safetensors in models/checkpoints.',
        ],
      },
    ]);
  });

  it('are polled as soon as the server reports their end', async () => {
    const jobId = await submitted();
    comfyui.begin();
    await jobs.whenProcessing(jobId);
    await waitFor(() => comfyui.sockets.count === 1);
    await jobs.execute(STOP_POLLING, jobId);
    comfyui.finish();
    expect(await jobs.whenEnded(jobId)).toMatchObject({ status: 'succeeded' });
  });
});
